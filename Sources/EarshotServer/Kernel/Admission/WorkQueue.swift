import Dispatch
import EarshotCore
import Synchronization

/// A queue that limits running and waiting work, and refuses further work at once. The owner with the least recent use is next.
///
/// A service that accepts everything answers nobody in time. When the queue is full, the client with the most waiting turns is refused:
/// a client with many requests neither holds all turns nor fills the queue for the others.
final class WorkQueue: Sendable {
    private enum Answer {
        case admitted
        case givenUp
        /// Refused: the queue is full, or a client with fewer waiting turns took the slot.
        case displaced
    }

    private struct Turn {
        let id: UInt64
        let owner: WorkOwner
        let continuation: CheckedContinuation<Answer, Never>
    }

    private struct State {
        var running = 0
        /// The waiting turns, in order of arrival.
        var waiting: [Turn] = []
        var next: UInt64 = 0
        var shares = FairShares()
        /// The turns whose tasks were canceled before they waited.
        var givenUp: Set<UInt64> = []
    }

    /// The mean duration, in seconds, below which a client's turns do not wait for longer ones of others.
    private let shortTurn: Double
    private let width: Int
    private let limit: Int
    private let clientLimit: Int
    private let yields: Bool
    private let clock: MediaClock
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "earshot.work", qos: .userInitiated, attributes: .concurrent)

    /// - Parameters:
    ///   - width: The number of turns at a time. As many again are given to clients that have none and whose turns are
    ///     short.
    ///   - limit: The most that may wait.
    ///   - clientLimit: The most turns of one client at a time; `width` unless stated.
    ///   - shortTurn: The longest short turn, in seconds.
    ///   - yields: `true` if all turns let others of the machine go first; otherwise only those of clients whose turns
    ///     are long.
    ///   - clock: The clock by which turns are measured.
    init(
        width: Int,
        limit: Int,
        clientLimit: Int? = nil,
        shortTurn: Double = 1,
        yields: Bool = false,
        clock: MediaClock = .system
    ) {
        self.width = max(1, width)
        self.limit = max(0, limit)
        self.clientLimit = max(1, clientLimit ?? width)
        self.shortTurn = shortTurn
        self.yields = yields
        self.clock = clock
    }

    /// `true` if work in the current turn is to yield to other processes of the machine.
    @TaskLocal static var turnYields = false

    /// The numbers of running and of waiting turns.
    var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Checks that work of an owner would be accepted.
    ///
    /// - Throws: `serviceBusy` when too much waits.
    func check(for owner: WorkOwner) throws(EarshotError) {
        let now = clock.now.seconds
        let isFull = state.withLock { state in
            state.waiting.count >= limit && !mayRun(owner, state, now) && displaced(by: owner, state) == nil
        }
        if isFull { throw Self.busy }
    }

    private static var busy: EarshotError {
        EarshotError(.serviceBusy, "The service is overloaded: try again in a moment.")
    }

    /// Runs blocking work on a thread of its own when its turn comes.
    ///
    /// - Throws: `serviceBusy` at once when too much waits; `cancelled`.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        try await perform { () async throws(EarshotError) in
            let result: Result<Value, EarshotError> = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Result(catching: body)) }
            }
            return try result.get()
        }
    }

    /// Runs asynchronous work in one turn.
    ///
    /// - Throws: `serviceBusy` at once when too much waits; `cancelled`; what the work throws.
    func perform<Value: Sendable>(
        _ body: @Sendable () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        let owner = WorkOwner.current
        try await enter(owner)
        let began = clock.now
        defer { leave(owner, after: (clock.now - began).seconds) }
        let isBurden = state.withLock { state in
            state.shares.meanTurn(owner.client, at: began.seconds) >= shortTurn
                || state.shares.hasMoreThanOthers(owner.client, at: began.seconds)
        }
        let result: Result<Value, EarshotError> = await Self.$turnYields.withValue(yields || isBurden) {
            do throws(EarshotError) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: - Turns

    /// Returns `true` if another turn of an owner may run in addition to the running ones.
    private func mayRun(_ owner: WorkOwner, _ state: borrowing State, _ now: Double) -> Bool {
        let own = state.shares.running(owner.client)
        if state.running < width { return own < clientLimit }
        return own == 0 && state.running < 2 * width && state.shares.meanTurn(owner.client, at: now) < shortTurn
    }

    /// Returns the index of the waiting turn that gives its place to an owner: the last one of the client with most
    /// waiting turns, if these are more than the owner's would be. `nil` if there is none.
    private func displaced(by owner: WorkOwner, _ state: borrowing State) -> Int? {
        var counts: [String: Int] = [:]
        for turn in state.waiting { counts[turn.owner.client, default: 0] += 1 }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            most.value > counts[owner.client, default: 0] + 1
        else { return nil }
        return state.waiting.lastIndex { $0.owner.client == most.key }
    }

    private func enter(_ owner: WorkOwner) async throws(EarshotError) {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed: [(CheckedContinuation<Answer, Never>, Answer)] = state.withLock { state in
                    // The task may have been canceled before its turn was listed.
                    if state.givenUp.remove(id) != nil { return [(continuation, .givenUp)] }
                    let now = clock.now.seconds
                    if mayRun(owner, state, now) {
                        begin(owner, &state)
                        return [(continuation, .admitted)]
                    }
                    var resumed: [(CheckedContinuation<Answer, Never>, Answer)] = []
                    if state.waiting.count >= limit {
                        guard let index = displaced(by: owner, state) else { return [(continuation, .displaced)] }
                        resumed.append((state.waiting.remove(at: index).continuation, .displaced))
                    }
                    state.waiting.append(Turn(id: id, owner: owner, continuation: continuation))
                    return resumed
                }
                for (continuation, answer) in resumed { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting: CheckedContinuation<Answer, Never>? = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                    state.givenUp.insert(id)
                    return nil
                }
                return state.waiting.remove(at: index).continuation
            }
            waiting?.resume(returning: .givenUp)
        }
        // A task that is canceled after it was admitted does its work: its turn is running.
        state.withLock { _ = $0.givenUp.remove(id) }
        switch answer {
        case .admitted: return
        case .displaced: throw Self.busy
        case .givenUp: throw EarshotError(.cancelled, "The request was canceled while it waited in the queue.")
        }
    }

    private func begin(_ owner: WorkOwner, _ state: inout State) {
        state.running += 1
        state.shares.begin(owner)
    }

    private func leave(_ owner: WorkOwner, after seconds: Double) {
        let admitted: [CheckedContinuation<Answer, Never>] = state.withLock { state in
            let now = clock.now.seconds
            state.running -= 1
            state.shares.end(owner, after: seconds, at: now)
            var admitted: [CheckedContinuation<Answer, Never>] = []
            while true {
                let open = state.waiting.indices.filter { mayRun(state.waiting[$0].owner, state, now) }
                guard let next = state.shares.next(among: open.map { state.waiting[$0].owner }, at: now) else { break }
                let turn = state.waiting.remove(at: open[next])
                begin(turn.owner, &state)
                admitted.append(turn.continuation)
            }
            return admitted
        }
        for continuation in admitted { continuation.resume(returning: .admitted) }
    }
}
