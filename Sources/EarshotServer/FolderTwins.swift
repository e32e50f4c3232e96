import EarshotNodes

/// Finds other nodes that have a copy of this node's folder, as of a machine that was cloned. Nodes hold segments and jobs by the names of their
/// folders: with two of one name, one holds what nobody asks it for, and takes jobs whose files the other has.
///
/// A node that was killed and started again is there under its old name for a while, and is none of them.
struct FolderTwins {
    private let node: NodeRecord
    /// The time for which a node counts as alive that is silent, in seconds.
    private let lifetime: Double
    /// The times at which nodes of the same folder were seen first, in seconds of the caller's clock.
    private var since: [NodeID: Double] = [:]
    private var told: Set<NodeID> = []

    init(of node: NodeRecord, lifetime: Double) { (self.node, self.lifetime) = (node, lifetime) }

    /// Returns the nodes that must have announced themselves since this one saw them first, each once.
    ///
    /// - Parameters:
    ///   - nodes: The nodes that live.
    ///   - now: The time, in seconds of the caller's clock.
    mutating func new(in nodes: [NodeRecord], at now: Double) -> [NodeRecord] {
        let same = nodes.filter { $0.place != nil && $0.place == node.place && $0.id != node.id }
        let ids = Set(same.map(\.id))
        since = since.filter { ids.contains($0.key) }
        for id in ids where since[id] == nil { since[id] = now }
        return same.filter { other in
            now - (since[other.id] ?? now) > lifetime && told.insert(other.id).inserted
        }
    }
}
