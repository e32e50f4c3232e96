/// The facts that a node tells the others of itself.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var id: NodeID
    /// Its name for people: the host's.
    package var name: String
    /// The generation of the shared catalog that it searches; 0 if it shares none.
    package var generation: Int
    /// Says that it takes no more work, because it is about to end.
    package var isDraining: Bool
    /// The folder of its data; `nil` of a node of an older version.
    package var place: PlaceID?
    /// The address at which it searches for other nodes; `nil` if it does not.
    package var address: String?
    /// The bytes of segments that it has room for; `nil` if it does not say.
    package var cacheBytes: Int?

    package init(
        id: NodeID,
        name: String,
        generation: Int = 0,
        isDraining: Bool = false,
        place: PlaceID? = nil,
        address: String? = nil,
        cacheBytes: Int? = nil
    ) {
        (self.id, self.name, self.generation, self.isDraining) = (id, name, generation, isDraining)
        (self.place, self.address, self.cacheBytes) = (place, address, cacheBytes)
    }
}
