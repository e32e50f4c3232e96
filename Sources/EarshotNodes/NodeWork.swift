import Synchronization

/// The work of a node that only one node may do at a time: how much is under way, and whether the node begins more.
package final class NodeWork: Sendable {
    private let state = Mutex((count: 0, leaseCount: 0, isDraining: false))

    package init() {}

    /// `true` if the node begins no more work, because it is about to be stopped.
    package var isDraining: Bool { state.withLock(\.isDraining) }

    /// The number of pieces of work that are under way.
    package var count: Int { state.withLock(\.count) }

    /// The number of leases that the node holds.
    package var leaseCount: Int { state.withLock(\.leaseCount) }

    /// Counts a lease that the node has taken, which ``endLease()`` ends.
    func beginLease() { state.withLock { $0.leaseCount += 1 } }

    /// Counts a lease that the node holds no longer.
    func endLease() { state.withLock { $0.leaseCount -= 1 } }

    /// Lets the node begin work, or no more.
    package func setDraining(_ isDraining: Bool) { state.withLock { $0.isDraining = isDraining } }

    /// Begins a piece of work, which ``end()`` ends.
    ///
    /// - Parameter isContinuing: `true` for a part of work that was begun before: it is begun in any case.
    /// - Returns: `false` if the node begins no more work.
    package func begin(continuing isContinuing: Bool = false) -> Bool {
        state.withLock { state in
            guard !state.isDraining || isContinuing else { return false }
            state.count += 1
            return true
        }
    }

    /// Ends a piece of work.
    package func end() { state.withLock { $0.count -= 1 } }
}
