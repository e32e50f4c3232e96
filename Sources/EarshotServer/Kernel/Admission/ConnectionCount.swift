import Synchronization

/// The number of open connections.
final class ConnectionCount: Sendable {
    private let state = Mutex(0)

    var value: Int { state.withLock { $0 } }

    func add(_ change: Int) { state.withLock { $0 += change } }
}
