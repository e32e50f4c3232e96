package import EarshotCore

/// Keeps the leases of nodes. Time is measured by the store: clocks of nodes do not matter.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol LeaseStore: Sendable {
    /// Takes a lease that no other node holds, or prolongs one's own.
    ///
    /// - Parameters:
    ///   - name: The work that the lease permits.
    ///   - node: The node that wants to do it.
    ///   - seconds: The time for which the lease lasts from now on unless it is prolonged, in seconds.
    /// - Returns: The lease; `nil` while another node holds it.
    func take(_ name: String, for node: NodeID, seconds: Double) async throws(EarshotError) -> Lease?
    /// Gives a lease back before its end; nothing happens if another node holds it by now.
    func release(_ lease: Lease) async throws(EarshotError)
    /// Returns the leases that are held, in order of names.
    func leases() async throws(EarshotError) -> [Lease]
}
