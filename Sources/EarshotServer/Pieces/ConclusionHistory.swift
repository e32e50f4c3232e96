import EarshotNodes

/// Decides by the fences of leases if another node may have concluded an analysis since this one last did.
///
/// Each lease of conclusions has the fence of the one before plus 1. If this node's fences are consecutive, no other node came between.
struct ConclusionHistory {
    /// The time for which a fence is compared, in seconds. It must be below a day, after which the fences of an unused lease start again.
    private static let memory = 3_600.0

    private var last: (fence: Int, time: Double)?

    /// Returns `true` if another node may have concluded an analysis since this one last did.
    func mayLack(_ lease: Lease, at now: Double) -> Bool {
        guard let last, now - last.time < Self.memory else { return true }
        return lease.fence != last.fence + 1
    }

    /// Notes that this node has concluded an analysis, knowing all that were concluded before.
    mutating func concluded(_ lease: Lease, at now: Double) { last = (lease.fence, now) }
}
