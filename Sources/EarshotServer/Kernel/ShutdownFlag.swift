import Synchronization

/// A flag that is raised when the service is about to end.
final class ShutdownFlag: Sendable {
    private let flag = Atomic(false)

    /// `true` if the service is about to end.
    var isRaised: Bool { flag.load(ordering: .acquiring) }

    /// Raises the flag, for good.
    func raise() { flag.store(true, ordering: .releasing) }
}
