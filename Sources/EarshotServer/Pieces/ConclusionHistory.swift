import EarshotNodes

/// Knows whether another node may have concluded something about pieces since this one did.
///
/// Each holder of the lease of conclusions gets a greater number than the one before: if nobody came between, the next number follows.
struct ConclusionHistory {
    /// The time for which the number of a lease is compared, in seconds: that of a lease that nobody took for a day
    /// begins again.
    private static let memory = 3_600.0

    private var last: (fence: Int, time: Double)?

    /// Returns `true` if another node may have concluded something since this one did.
    func mayLack(_ lease: Lease, at now: Double) -> Bool {
        guard let last, now - last.time < Self.memory else { return true }
        return lease.fence != last.fence + 1
    }

    /// Notes that this node has concluded something, and knew all that was concluded before.
    mutating func concluded(_ lease: Lease, at now: Double) { last = (lease.fence, now) }
}
