package import EarshotCore

/// Knows the nodes that live. One that is silent for longer than it said is taken for dead.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the register cannot be reached, and `cancelled`.
package protocol NodeRegister: Sendable {
    /// Registers a node as alive, with its record, or prolongs that.
    ///
    /// - Parameters:
    ///   - record: The node.
    ///   - seconds: The time for which it counts as alive unless it says so again, in seconds.
    /// - Returns: `true` if it is to be drained.
    func announce(_ record: NodeRecord, seconds: Double) async throws(EarshotError) -> Bool
    /// Asks a node to begin no more work, or to begin work again. It learns of that when it says that it lives.
    ///
    /// - Returns: `false` if no such node lives.
    func setDraining(_ isDraining: Bool, of node: NodeID) async throws(EarshotError) -> Bool
    /// Takes a node out.
    func leave(_ node: NodeID) async throws(EarshotError)
    /// Returns the nodes that are alive, in order of identifiers.
    func nodes() async throws(EarshotError) -> [NodeRecord]
    /// Returns the folders of nodes that were alive in the last day; `nil` if the folder of one of them is not known.
    func places() async throws(EarshotError) -> Set<PlaceID>?
}
