import Dispatch
import EarshotCore
import Synchronization

/// Asks a server to end the statements of a piece of work whose task is canceled.
final class StatementCancellation: Sendable {
    private struct State {
        /// The time of the cancellation, in seconds of the clock; `nil` for work that is not canceled.
        var time: Double?
        var canceller: PostgreSQLCanceller?
        /// `true` while the server is being asked.
        var isAsking = false
    }

    private let clock: MediaClock
    /// The queue on which the server is asked.
    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(clock: MediaClock, queue: DispatchQueue) { (self.clock, self.queue) = (clock, queue) }

    var isCancelled: Bool { state.withLock { $0.time != nil } }

    /// The time at which the server was asked, in seconds of the clock; `nil` if it was not.
    var time: Double? { state.withLock { $0.time } }

    /// `true` while the server is being asked, so that it may end the next statement instead.
    var isAsking: Bool { state.withLock { $0.isAsking } }

    /// From now on, a cancellation ends the statements of a connection.
    ///
    /// - Returns: `false` if the work is canceled already.
    func begin(_ canceller: PostgreSQLCanceller?) -> Bool {
        state.withLock { state in
            state.canceller = canceller
            return state.time == nil
        }
    }

    /// From now on, a cancellation ends no statement.
    ///
    /// - Returns: `false` if the server was asked before.
    @discardableResult
    func end() -> Bool {
        state.withLock { state in
            state.canceller = nil
            return state.time == nil
        }
    }

    /// Asks the server to end the running statement, without waiting for it.
    func cancel() {
        let now = clock.now.seconds
        let canceller = state.withLock { state in
            state.time = state.time ?? now
            state.isAsking = state.canceller != nil
            return state.canceller
        }
        guard let canceller else { return }
        // Connecting to the server blocks; if the server hangs, until it goes on.
        queue.async { [self] in
            canceller.cancel()
            state.withLock { $0.isAsking = false }
        }
    }
}
