package import EarshotCore

/// Does what only one node may do at a time, for as long as this node holds the lease.
package struct LeaseKeeper: Sendable {
    package let store: any LeaseStore
    package let node: NodeID
    private let work: NodeWork
    private let timer: LeaseTimer
    private let clock: MediaClock

    /// Creates a keeper.
    ///
    /// - Parameters:
    ///   - work: The work of the node, which takes no lease while it is drained.
    ///   - seconds: The time for which a lease lasts unless it is prolonged, in seconds.
    package init(
        _ store: any LeaseStore,
        node: NodeID,
        work: NodeWork = NodeWork(),
        seconds: Double = 15,
        clock: MediaClock = .system
    ) {
        (self.store, self.node, self.work, self.clock) = (store, node, work, clock)
        timer = LeaseTimer(seconds: seconds, clock: clock)
    }

    /// The time for which a lease lasts unless it is prolonged, in seconds.
    package var seconds: Double { timer.seconds }

    /// Works if no other node does. When the lease cannot be prolonged in time, the task of the work is canceled.
    ///
    /// - Parameters:
    ///   - name: The work that the lease permits: `merge/music`.
    ///   - isContinuing: `true` for work that ends what was begun under another lease: a node that is drained still does it.
    ///   - work: The work. It is given the lease, so that what it changes can compare ``Lease/fence``.
    /// - Returns: The value of the work; `nil` while another node holds the lease, or this one is drained.
    /// - Throws: The error of the work, `storeUnavailable`; `cancelled` if the lease was lost.
    package func run<Value: Sendable>(
        _ name: String,
        continuing isContinuing: Bool = false,
        _ work: @escaping @Sendable (Lease) async throws(EarshotError) -> Value
    ) async throws(EarshotError) -> Value? {
        guard self.work.begin(continuing: isContinuing) else { return nil }
        defer { self.work.end() }
        let asked = clock.now.seconds
        guard let lease = try await store.take(name, for: node, seconds: seconds) else { return nil }
        self.work.beginLease()
        defer { self.work.endLease() }
        let (store, node, seconds) = (store, node, seconds)
        let (result, _) = await timer.run(
            since: asked,
            prolong: { () throws(EarshotError) in
                try await store.take(name, for: node, seconds: seconds)?.fence == lease.fence
            },
            { () throws(EarshotError) in try await work(lease) }
        )
        // Given back, so that another node need not wait for its end. In a task of its own: a canceled one would not reach the store.
        await Task { try? await store.release(lease) }.value
        return try result.get()
    }
}
