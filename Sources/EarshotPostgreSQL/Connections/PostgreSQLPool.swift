import Dispatch
package import EarshotCore
import Foundation
import Synchronization

/// A few connections to a server, each used by one piece of work at a time, on a queue of its own off the cooperative pool.
///
/// A connection is made when it is first needed, and again after it was lost. While the server is silent one piece of work asks it every
/// other second, and all other work is refused at once.
package final class PostgreSQLPool: Sendable {
    /// The most attempts at a transaction that loses races.
    private static let attempts = 8

    package let options: PostgreSQLOptions
    /// Called before each statement; tests make failures by it.
    private let interference: (@Sendable (PostgreSQLConnection) throws(PostgreSQLFailure) -> Void)?
    /// Called with each piece of work that ended; `nil` for none.
    private let observer: (@Sendable (PostgreSQLWork) -> Void)?
    private let clock: MediaClock
    private let slots: [Slot]
    private let state: Mutex<State>

    private struct State {
        var silence = ServerSilence()
        var idle: [Int]
        var waiting: [(id: Int, continuation: CheckedContinuation<Int?, Never>)] = []
        var next = 0
        var isClosed = false
        /// The turns whose tasks were canceled before they waited.
        var givenUp: Set<Int> = []
    }

    /// A connection that may not be open. Safe to send: its members are used on its queue only.
    private final class Slot: @unchecked Sendable {
        let queue: DispatchQueue
        /// The queue on which the server is asked to end statements.
        let cancelling: DispatchQueue
        var connection: PostgreSQLConnection?

        init(_ number: Int) {
            queue = DispatchQueue(label: "earshot.postgresql.\(number)")
            cancelling = DispatchQueue(label: "earshot.postgresql.\(number).cancelling")
        }
    }

    /// A pool. No connection is made yet.
    ///
    /// - Parameter observer: Called with each piece of work that ended, on any thread.
    package convenience init(_ options: PostgreSQLOptions, observer: (@Sendable (PostgreSQLWork) -> Void)? = nil) {
        self.init(options, observer: observer, interference: nil)
    }

    init(
        _ options: PostgreSQLOptions,
        clock: MediaClock = .system,
        observer: (@Sendable (PostgreSQLWork) -> Void)? = nil,
        interference: (@Sendable (PostgreSQLConnection) throws(PostgreSQLFailure) -> Void)?
    ) {
        self.options = options
        self.clock = clock
        self.interference = interference
        self.observer = observer
        let count = max(1, options.connections)
        slots = (0..<count).map(Slot.init)
        state = Mutex(State(idle: Array(0..<count)))
    }

    /// The number of connections in use, and of those that wait for one.
    package var load: (used: Int, waiting: Int) {
        state.withLock { (slots.count - $0.idle.count, $0.waiting.count) }
    }

    /// Creates a pool with a connection, so that a wrong address is reported at the start.
    ///
    /// - Parameter observer: Called with each piece of work that ended, on any thread.
    /// - Throws: `storeUnavailable` with what the server or libpq said.
    package static func connected(
        _ options: PostgreSQLOptions,
        observer: (@Sendable (PostgreSQLWork) -> Void)? = nil
    ) async throws(EarshotError) -> PostgreSQLPool {
        let pool = PostgreSQLPool(options, observer: observer)
        do throws(EarshotError) {
            try await pool.read { _ in }
        } catch {
            guard let failure = error.cause as? PostgreSQLFailure, failure.isConnectionLost else { throw error }
            throw failure.opening(options)
        }
        return pool
    }

    // MARK: - Work

    /// Reads in a single statement or several: they may see what others change between them.
    ///
    /// - Throws: The error of the work; `storeUnavailable` if there is no connection in time, `cancelled`.
    package func read<Value: Sendable>(
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws(EarshotError) -> Value {
        try await perform(.read) { connection in try work(connection) }
    }

    /// Changes the database in a transaction: all of it is kept when this returns, or nothing. If the server does not say in time whether it
    /// is kept, this fails, and the change may still become true: its message says so. The work runs again if it lost a race
    /// against another transaction, or the connection before it was kept: it must change nothing but the database.
    ///
    /// - Parameters:
    ///   - isDurable: `false` to return before the change is on a disk of the server, which takes most of the time: a crash of the server
    ///     loses it, whole, with what else was changed so in the last second. Default: `true`.
    ///   - work: Changes the database.
    /// - Throws: The error of the work; `storeUnavailable` if there is no connection in time, `cancelled`.
    package func write<Value: Sendable>(
        isDurable: Bool = true,
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws(EarshotError) -> Value {
        try await perform(.write) { connection in
            try connection.execute(isDurable ? "BEGIN" : "BEGIN; SET LOCAL synchronous_commit = off")
            let value = try work(connection)
            do throws(PostgreSQLFailure) {
                try connection.commit()
            } catch {
                guard error.isConnectionLost else { throw error }
                throw EarshotError(
                    .storeUnavailable,
                    "The PostgreSQL database did not say in time whether a change is kept: it may still become true. Look whether it did "
                        + "before you repeat it.",
                    cause: error
                )
            }
            return value
        }
    }

    private func perform<Value: Sendable>(
        _ kind: PostgreSQLWork.Kind,
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws(EarshotError) -> Value {
        let now = clock.now.seconds
        guard let turn = state.withLock({ $0.silence.admit(at: now) }) else {
            observer?(PostgreSQLWork(kind, seconds: nil, error: Self.silent))
            throw Self.silent
        }
        let result: Result<Value, EarshotError>
        do throws(EarshotError) {
            result = .success(try await performAdmitted(work))
        } catch {
            result = .failure(error)
        }
        if let observer {
            let error: EarshotError? = if case .failure(let error) = result { error } else { nil }
            observer(PostgreSQLWork(kind, seconds: clock.now.seconds - now, error: error))
        }
        let isAnswered =
            switch result {
            case .success: true
            case .failure(let error): error.code != .storeUnavailable && error.code != .cancelled
            }
        state.withLock { $0.silence.ended(turn, isAnswered: isAnswered) }
        return try result.get()
    }

    private func performAdmitted<Value: Sendable>(
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws(EarshotError) -> Value {
        let slot = slots[try await enter()]
        let cancellation = StatementCancellation(clock: clock, queue: slot.cancelling)
        let result: Result<Value, EarshotError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                slot.queue.async {
                    let result = Result { () throws(EarshotError) in try self.run(work, in: slot, cancellation) }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        leave(slot)
        return try result.get()
    }

    /// Runs work on the queue of a slot, with its connection, which is opened if there is none. Repeats work that lost a race.
    private func run<Value>(
        _ work: (PostgreSQLConnection) throws -> Value,
        in slot: Slot,
        _ cancellation: StatementCancellation
    ) throws(EarshotError) -> Value {
        var attempt = 0
        while true {
            attempt += 1
            let isNew = slot.connection == nil
            guard !cancellation.isCancelled else { throw Self.cancelled }
            do {
                let connection = try slot.connection ?? connect()
                connection.interference = interference
                slot.connection = connection
                connection.cancellation = cancellation
                let isWanted = cancellation.begin(connection.canceller())
                defer {
                    cancellation.end()
                    // The connection is dropped if its transaction cannot be rolled back, because the next work would commit it, or while a
                    // cancellation is on its way, which could end the statement of the next work.
                    if !connection.endTransaction() || cancellation.isAsking { slot.connection = nil }
                }
                guard isWanted else { throw Self.cancelled }
                return try work(connection)
            } catch let failure as PostgreSQLFailure {
                if failure.isServerGone { slot.connection = nil }
                guard !cancellation.isCancelled else { throw Self.cancelled }
                // An idle connection may belong to a server that has gone since: a new one is worth an attempt.
                let isWorthAnother =
                    failure.isConflict || (failure.isServerGone && !failure.isGivenUp && !isNew && attempt <= 2)
                guard isWorthAnother, attempt < Self.attempts else { throw failure.error }
                if failure.isConflict { usleep(UInt32.random(in: 500...4_000) << UInt32(min(attempt, 5))) }
            } catch let error as EarshotError {
                // A commit without an answer: the connection cannot be used any more.
                if (error.cause as? PostgreSQLFailure)?.isServerGone == true { slot.connection = nil }
                throw error
            } catch {
                throw EarshotError(
                    .internalError,
                    "The PostgreSQL database could not be used: please report this.",
                    cause: error
                )
            }
        }
    }

    /// Opens a connection. If that fails as with a silent server, all work that waits for a connection is refused.
    private func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
        let begin = clock.now.seconds
        do throws(PostgreSQLFailure) {
            return try PostgreSQLConnection(options, clock: clock)
        } catch {
            let now = clock.now.seconds
            let refused: [CheckedContinuation<Int?, Never>] = state.withLock { state in
                guard state.silence.failed(from: begin, to: now) else { return [] }
                defer { state.waiting = [] }
                return state.waiting.map(\.continuation)
            }
            for continuation in refused { continuation.resume(returning: nil) }
            throw error
        }
    }

    // MARK: - Turns

    private static var cancelled: EarshotError {
        EarshotError(.cancelled, "Working with the PostgreSQL database was canceled.")
    }

    private static var silent: EarshotError {
        EarshotError(
            .storeUnavailable,
            "The PostgreSQL database does not answer: check that its server can be reached; try again."
        )
    }

    private func enter() async throws(EarshotError) -> Int {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let limit = Task { [patience = options.patience] in
            try await Task.sleep(for: .seconds(patience))
            giveUp(id)
        }
        defer { limit.cancel() }
        let slot = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Int?, Never>) in
                let now: Int?? = state.withLock { state in
                    if state.givenUp.remove(id) != nil || state.isClosed { return .some(nil) }
                    // The slot that was used last is most likely still connected.
                    if let slot = state.idle.popLast() { return slot }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            giveUp(id)
        }
        state.withLock { _ = $0.givenUp.remove(id) }
        if let slot { return slot }
        guard !Task.isCancelled else { throw Self.cancelled }
        if state.withLock({ $0.silence.isSilent }) { throw Self.silent }
        throw EarshotError(
            .storeUnavailable,
            "All \(slots.count) connections to the PostgreSQL database are in use: try again."
        )
    }

    private func giveUp(_ id: Int) {
        let waiting: CheckedContinuation<Int?, Never>? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                state.givenUp.insert(id)
                return nil
            }
            return state.waiting.remove(at: index).continuation
        }
        waiting?.resume(returning: nil)
    }

    private func leave(_ slot: Slot) {
        guard let number = slots.firstIndex(where: { $0 === slot }) else { return }
        let next: CheckedContinuation<Int?, Never>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.idle.append(number)
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: number)
    }
}
