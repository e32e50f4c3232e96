public import EarshotCore
import Synchronization

/// Limits the number of concurrent requests. Default: 5.
///
/// A layer that forwards requests calls ``tryEnter()`` and refuses a request if that returns `false`; one that makes
/// requests of its own awaits ``enter()``. Each entry must be followed by one ``leave()``. ``signals`` tell the layers
/// above when to pause.
public final class RequestLimiter: Sendable {
    /// The state of a limiter.
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

    /// Creates a limiter.
    public init(capacity: Int = 5) {
        self.capacity = max(1, capacity)
    }

    /// The number of requests that have entered and not left.
    public var count: Int { state.withLock { $0.inside } }

    /// Enters where there is room.
    ///
    /// - Returns: `true` if there was; then ``leave()`` has to follow.
    public func tryEnter() -> Bool {
        state.withLock { state in
            guard state.inside < capacity else { return false }
            enter(&state)
            return true
        }
    }

    /// Enters as soon as there is room, in the order of asking. Then ``leave()`` has to follow.
    ///
    /// - Throws: `cancelled` when the task is cancelled first.
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
        guard isInside else { throw EarshotError(.cancelled, "The request was cancelled before its turn came.") }
    }

    /// Makes room for somebody else.
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

    /// The changes of state, beginning with the current one.
    public var signals: AsyncStream<Signal> { broadcast.events }
}
