import Dispatch
import EarshotCore
import Synchronization

/// Lets so much work run at a time and so much wait; refuses what is beyond, at once.
///
/// A service that takes on everything answers nobody in time. This one says no while it still can.
final class WorkQueue: Sendable {
    private struct State {
        var running = 0
        var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        /// In order of coming; those that gave up are no longer in `waiting`.
        var order: [UInt64] = []
        var next: UInt64 = 0
    }

    private let width: Int
    private let limit: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "earshot.work", qos: .userInitiated, attributes: .concurrent)

    /// - Parameters:
    ///   - width: How much runs at a time.
    ///   - limit: How much waits, at most.
    init(width: Int, limit: Int) {
        self.width = max(1, width)
        self.limit = max(0, limit)
    }

    /// How much runs and how much waits.
    var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Refuses what would be refused.
    ///
    /// - Throws: `serviceBusy` when too much waits.
    func check() throws(EarshotError) {
        let isFull = state.withLock { $0.running >= width && $0.waiting.count >= limit }
        if isFull { throw Self.busy }
    }

    private static var busy: EarshotError {
        EarshotError(.serviceBusy, "The service has more to do than it can: try again in a moment.")
    }

    /// Runs work that blocks, on a thread of its own, when it is its turn.
    ///
    /// - Throws: `serviceBusy` at once when too much waits; `cancelled`.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        try await enter()
        defer { leave() }
        let result: Result<Value, EarshotError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Does work of several steps in one turn.
    ///
    /// - Throws: `serviceBusy` at once when too much waits; `cancelled`; what the work throws.
    func perform<Value: Sendable>(
        _ body: @Sendable () async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws(EarshotError) {
        enum Entry {
            case now
            case refused
            case turn(UInt64)
        }
        let entry: Entry = state.withLock { state in
            if state.running < width {
                state.running += 1
                return .now
            }
            guard state.waiting.count < limit else { return .refused }
            state.next += 1
            return .turn(state.next)
        }
        switch entry {
        case .now: return
        case .refused:
            throw Self.busy
        case .turn(let turn):
            let isAdmitted = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    // What was running may have ended, and the task may have been cancelled, before this.
                    let answer: Bool? = state.withLock { state in
                        if Task.isCancelled { return false }
                        if state.running < width {
                            state.running += 1
                            return true
                        }
                        state.waiting[turn] = continuation
                        state.order.append(turn)
                        return nil
                    }
                    if let answer { continuation.resume(returning: answer) }
                }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: turn) }?.resume(returning: false)
            }
            guard isAdmitted else { throw EarshotError(.cancelled, "The request was given up while it waited.") }
        }
    }

    private func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            while !state.order.isEmpty {
                // The turn goes on to the next one that still waits.
                if let continuation = state.waiting.removeValue(forKey: state.order.removeFirst()) {
                    return continuation
                }
            }
            state.running -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
