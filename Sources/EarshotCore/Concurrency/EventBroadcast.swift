import Synchronization

/// Sends every event to each listener.
///
/// Each access to ``events`` returns an independent stream. It ends with ``finish()``, or when the broadcast is released.
/// The lock is held while an event is handed to the streams, never while other code runs, so a sender may hold a lock of its
/// own to keep its state and its events in one order.
package final class EventBroadcast<Element: Sendable>: Sendable {
    /// The events that a new listener gets first.
    package enum Replay: Hashable, Sendable {
        /// None: from now on.
        case none
        /// The latest event, if there was one.
        case latest
        /// All events from the start.
        case all
    }

    package typealias BufferingPolicy = AsyncStream<Element>.Continuation.BufferingPolicy

    private struct State {
        var past: [Element] = []
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var count = 0
        var isFinished = false
    }

    private let replay: Replay
    private let buffering: BufferingPolicy
    private let state: Mutex<State>

    /// Creates a broadcast without listeners.
    ///
    /// - Parameters:
    ///   - replay: The events that a new listener gets first.
    ///   - buffering: The events that wait for a slow listener.
    ///   - initial: An event that counts as already sent; for ``Replay/latest``.
    package init(replay: Replay, buffering: BufferingPolicy, initial: Element? = nil) {
        self.replay = replay
        self.buffering = buffering
        state = Mutex(State(past: initial.map { [$0] } ?? []))
    }

    deinit { finish() }

    /// `true` if no stream is being listened to.
    package var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    /// Sends an event. Has no effect after ``finish()``.
    package func send(_ event: Element) {
        state.withLock { state in
            guard !state.isFinished else { return }
            switch replay {
            case .none: break
            case .latest: state.past = [event]
            case .all: state.past.append(event)
            }
            for listener in state.listeners.values { listener.yield(event) }
        }
    }

    /// Ends all streams. A later listener gets the past events, if they are replayed, and the end.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        // Outside of the lock, which the end of a stream takes.
        for listener in listeners { listener.finish() }
    }

    /// A stream of the events.
    package var events: AsyncStream<Element> { events(onEnd: {}) }

    /// Returns a stream of the events.
    ///
    /// - Parameter onEnd: Called when nobody listens to the stream any more.
    package func events(onEnd: @escaping @Sendable () -> Void) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: buffering) { continuation in
            let number = state.withLock { state -> Int? in
                for event in state.past { continuation.yield(event) }
                guard !state.isFinished else { return nil }
                state.count += 1
                state.listeners[state.count] = continuation
                return state.count
            }
            guard let number else {
                continuation.finish()
                return onEnd()
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
                onEnd()
            }
        }
    }
}
