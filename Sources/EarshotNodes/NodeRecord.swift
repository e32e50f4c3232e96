/// What a node tells of itself to the others.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var id: NodeID
    /// Its name for people: the host's.
    package var name: String
    /// Where other nodes reach it, as `http://10.0.0.3:8081`; `nil` if they cannot.
    package var address: String?
    /// The version of the program.
    package var version: String
    /// The room for segments of catalogs, in bytes.
    package var cacheSize: Int
    /// The generation of the catalog that it searches; 0 before there is one.
    package var generation: Int
    /// Says that it takes no more work, because it is about to end.
    package var isDraining: Bool

    package init(
        id: NodeID,
        name: String,
        address: String? = nil,
        version: String,
        cacheSize: Int = 0,
        generation: Int = 0,
        isDraining: Bool = false
    ) {
        (self.id, self.name, self.address, self.version) = (id, name, address, version)
        (self.cacheSize, self.generation, self.isDraining) = (cacheSize, generation, isDraining)
    }
}
