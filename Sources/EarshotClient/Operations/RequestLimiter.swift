public import EarshotCore
import Synchronization

/// Limits the number of concurrent requests.
///
/// Code that forwards requests of others calls ``tryEnter()`` and rejects a request if that returns `false`. Code that
/// makes requests of its own awaits ``enter()``. Each entry must be followed by one ``leave()``. ``signals`` reports
/// when to pause.
public final class RequestLimiter: Sendable {
    /// A change of a limiter's state.
    public enum Signal: String, Hashable, Sendable {
        /// The limit is reached: pause.
        case stop
        /// Requests may continue.
        case go
    }

    private struct State {
        var inside = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var count = 0
    }

    /// The largest number of concurrent requests.
    public let capacity: Int
    private let state = Mutex(State())
    private let broadcast = EventBroadcast(replay: .latest, buffering: .unbounded, initial: Signal.go)

    /// Creates a limiter without requests.
    ///
    /// - Parameter capacity: The largest number of concurrent requests, at least 1. Default: 5.
    public init(capacity: Int = 5) {
        self.capacity = max(1, capacity)
    }

    /// The number of current requests: those that have entered and not left.
    public var count: Int { state.withLock { $0.inside } }

    /// Enters if fewer requests than ``capacity`` are running; never waits.
    ///
    /// - Returns: `true` if the request has entered and must call ``leave()``.
    public func tryEnter() -> Bool {
        state.withLock { state in
            guard state.inside < capacity else { return false }
            enter(&state)
            return true
        }
    }

    /// Waits until fewer requests than ``capacity`` are running, and enters. Waiting requests enter in the order of
    /// their calls. Call ``leave()`` afterwards.
    ///
    /// - Throws: `cancelled` if the task is canceled before.
    public func enter() async throws(EarshotError) {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        let isInside = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    guard state.inside < capacity else {
                        state.waiting.append((id, continuation))
                        return nil
                    }
                    enter(&state)
                    return true
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
        guard isInside else { throw EarshotError(.cancelled, "The request was canceled before its turn came.") }
    }

    /// Ends a request that has entered, so that the next waiting one can enter.
    public func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.inside > 0 else { return nil }
            // The place goes from hand to hand: nobody who comes now is before those who wait.
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            state.inside -= 1
            if state.inside == capacity - 1 { broadcast.send(.go) }
            return nil
        }
        next?.resume(returning: true)
    }

    private func enter(_ state: inout State) {
        state.inside += 1
        if state.inside == capacity { broadcast.send(.stop) }
    }

    /// A stream of changes of state, beginning with the current state. Each access returns an independent stream.
    public var signals: AsyncStream<Signal> { broadcast.events }
}
