import Dispatch
import EarshotCore
import Synchronization

/// Asks a server to end the statements of a piece of work whose task is canceled.
final class StatementCancellation: Sendable {
    private struct State {
        /// The time of the cancellation, in seconds of the clock; `nil` for work that is not canceled.
        var time: Double?
        var canceller: PostgreSQLCanceller?
        /// Says that the server is being asked.
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

    /// Says that the server is being asked, and may end what is sent next.
    var isAsking: Bool { state.withLock { $0.isAsking } }

    /// Has statements ended from now on.
    ///
    /// - Returns: `false` if the work is canceled already.
    func begin(_ canceller: PostgreSQLCanceller?) -> Bool {
        state.withLock { state in
            state.canceller = canceller
            return state.time == nil
        }
    }

    /// Has no statement ended any more.
    ///
    /// - Returns: `false` if the server was asked before.
    @discardableResult
    func end() -> Bool {
        state.withLock { state in
            state.canceller = nil
            return state.time == nil
        }
    }

    /// Asks the server, and does not wait for it.
    func cancel() {
        let now = clock.now.seconds
        let canceller = state.withLock { state in
            state.time = state.time ?? now
            state.isAsking = state.canceller != nil
            return state.canceller
        }
        guard let canceller else { return }
        // It connects to the server, which blocks; of a server that hangs it blocks until that goes on.
        queue.async { [self] in
            canceller.cancel()
            state.withLock { $0.isAsking = false }
        }
    }
}
