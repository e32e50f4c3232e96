import Synchronization

/// Events on their way to one reader, who may be slow.
///
/// A waiting event is replaced by a later one of its kind if that makes it obsolete; all others are kept until they are
/// read.
final class EventMailbox<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var isFinished = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let replaces: @Sendable (_ new: Event, _ old: Event) -> Bool

    /// - Parameter replaces: Returns `true` if a new event makes a waiting one obsolete.
    init(replaces: @escaping @Sendable (_ new: Event, _ old: Event) -> Bool = { _, _ in false }) {
        self.replaces = replaces
    }

    func append(_ event: Event) {
        let reader = state.withLock { state in
            guard !state.isFinished else { return nil as CheckedContinuation<Void, Never>? }
            // Only the last ones can be replaced without changing the order of what is kept.
            if let place = state.events.lastIndex(where: { replaces(event, $0) }) { state.events.remove(at: place) }
            state.events.append(event)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// The next event; `nil` at the end, or when the task is canceled.
    func next() async -> Event? {
        while !Task.isCancelled {
            let (event, isFinished) = state.withLock { state in
                state.events.isEmpty ? (nil, state.isFinished) : (state.events.removeFirst(), false)
            }
            if let event { return event }
            if isFinished { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let waits = state.withLock { state in
                        guard state.events.isEmpty, !state.isFinished, !Task.isCancelled else { return false }
                        state.reader = continuation
                        return true
                    }
                    if !waits { continuation.resume() }
                }
            } onCancel: {
                let reader = state.withLock { state in
                    defer { state.reader = nil }
                    return state.reader
                }
                reader?.resume()
            }
        }
        return nil
    }
}
