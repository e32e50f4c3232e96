/// The facts that a node tells the others of itself.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var id: NodeID
    /// Its name for people: the host's.
    package var name: String
    /// The folder of its data; `nil` for one of an earlier version, which does not tell it.
    package var place: PlaceID?
    /// The generation of the shared catalog that it searches; 0 if it shares none.
    package var generation: Int
    /// `true` if the node begins no more work, because it is about to be stopped.
    package var isDraining: Bool
    /// The number of jobs, leases, recognitions and analyses that are under way; `nil` if its version does not tell.
    package var work: Int?
    /// The address at which it searches for other nodes; `nil` if it does not.
    package var address: String?
    /// The bytes of segments that it has room for; `nil` if it does not say.
    package var cacheBytes: Int?

    package init(
        id: NodeID,
        name: String,
        place: PlaceID? = nil,
        generation: Int = 0,
        isDraining: Bool = false,
        work: Int? = 0,
        address: String? = nil,
        cacheBytes: Int? = nil
    ) {
        (self.id, self.name, self.place, self.generation) = (id, name, place, generation)
        (self.isDraining, self.work) = (isDraining, work)
        (self.address, self.cacheBytes) = (address, cacheBytes)
    }

    /// `true` if the node is draining and no work is under way, so that it may be stopped.
    package var isDrained: Bool { isDraining && work == 0 }
}
