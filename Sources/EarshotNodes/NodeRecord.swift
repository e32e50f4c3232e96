/// The facts that a node tells the others of itself.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var id: NodeID
    /// Its name for people: the host's.
    package var name: String
    /// The folder of its data; `nil` for one of an earlier version, which does not tell it.
    package var place: PlaceID?
    /// The generation of the shared catalog that it searches; 0 if it shares none.
    package var generation: Int
    /// Says that it takes no more work, because it is about to end.
    package var isDraining: Bool

    package init(id: NodeID, name: String, place: PlaceID? = nil, generation: Int = 0, isDraining: Bool = false) {
        (self.id, self.name, self.place, self.generation) = (id, name, place, generation)
        self.isDraining = isDraining
    }
}
