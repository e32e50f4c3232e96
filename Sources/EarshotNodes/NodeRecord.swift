/// The facts that a node tells the others of itself.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var id: NodeID
    /// Its name for people: the host's.
    package var name: String
    /// The generation of the shared catalog that it searches; 0 if it shares none.
    package var generation: Int
    /// Says that it takes no more work, because it is about to end.
    package var isDraining: Bool

    package init(id: NodeID, name: String, generation: Int = 0, isDraining: Bool = false) {
        (self.id, self.name, self.generation, self.isDraining) = (id, name, generation, isDraining)
    }
}
