import Synchronization

/// Limits the number of concurrent exports of all sessions that share it. Others wait, in order of arrival.
public final class ExportLimit: Sendable {
    private struct State {
        var active = 0
        var waiting: [(ticket: ObjectIdentifier, turn: CheckedContinuation<Bool, Never>)] = []
    }

    /// The largest number of concurrent exports.
    public let count: Int
    private let state = Mutex(State())

    /// Creates a limit.
    ///
    /// - Parameter count: The largest number of concurrent exports; at least 1.
    public init(_ count: Int) {
        self.count = max(1, count)
    }

    /// The number of exports that are running.
    public var activeCount: Int { state.withLock { $0.active } }

    /// Waits for a place.
    ///
    /// - Parameters:
    ///   - ticket: The waiting export.
    ///   - cancellation: The cancellation of the export; set before ``withdraw(_:)`` is called.
    /// - Returns: `true` if there is one; not when it was withdrawn.
    func enter(_ ticket: ObjectIdentifier, _ cancellation: Cancellation) async -> Bool {
        await withCheckedContinuation { turn in
            let answer = state.withLock { state -> Bool? in
                if cancellation.isCancelled { return false }
                guard state.active >= count else {
                    state.active += 1
                    return true
                }
                state.waiting.append((ticket, turn))
                return nil
            }
            if let answer { turn.resume(returning: answer) }
        }
    }

    /// Ends the wait of one.
    func withdraw(_ ticket: ObjectIdentifier) {
        let turn = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).turn }
        }
        turn?.resume(returning: false)
    }

    /// Releases a place to the export that has waited longest.
    func leave() {
        let turn = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().turn }
            state.active -= 1
            return nil
        }
        turn?.resume(returning: true)
    }
}
