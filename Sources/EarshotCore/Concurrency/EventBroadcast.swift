import Synchronization

/// Sends events to any number of listeners.
///
/// Each access to ``events`` returns an independent stream. It ends with ``finish()``, or when the broadcast is
/// released. A lock is held while an event is passed to the streams, never while other code runs. So a sender may hold
/// a lock of its own, to keep its state and its events in one order.
package final class EventBroadcast<Element: Sendable>: Sendable {
    /// The past events that a new listener receives first.
    package enum Replay: Hashable, Sendable {
        /// No past events: only those from now on.
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
    ///   - replay: The past events that a new listener receives first.
    ///   - buffering: The limit of events that are buffered for a slow listener.
    ///   - initial: An event that counts as already sent, for ``Replay/latest``; `nil` for none.
    package init(replay: Replay, buffering: BufferingPolicy, initial: Element? = nil) {
        self.replay = replay
        self.buffering = buffering
        state = Mutex(State(past: initial.map { [$0] } ?? []))
    }

    deinit { finish() }

    /// `true` if there are no listeners.
    package var isEmpty: Bool { state.withLock { $0.listeners.isEmpty } }

    /// Sends an event to all listeners. Has no effect after ``finish()``.
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

    /// Ends all streams. A later listener receives the replayed events and then the end.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        // Outside of the lock, which the end of a stream takes.
        for listener in listeners { listener.finish() }
    }

    /// A new stream of the events.
    package var events: AsyncStream<Element> { events(onEnd: {}) }

    /// Returns a new stream of the events.
    ///
    /// - Parameter onEnd: Called when the stream has ended or its listener has stopped.
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
