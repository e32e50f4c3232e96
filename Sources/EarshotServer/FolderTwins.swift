import EarshotNodes

/// Finds other nodes that run on a copy of this node's folder, as after cloning a machine. Segments and jobs are assigned by the identifier
/// of the folder: of two nodes with the same one, one is not asked for its segments, and claims jobs whose files the other has.
///
/// A node that was killed and restarted stays registered under its old identifier for a while, and is not reported.
struct FolderTwins {
    private let node: NodeRecord
    /// The time for which a silent node counts as alive, in seconds.
    private let lifetime: Double
    /// The times at which nodes of the same folder were seen first, in seconds of the caller's clock.
    private var since: [NodeID: Double] = [:]
    private var told: Set<NodeID> = []

    init(of node: NodeRecord, lifetime: Double) { (self.node, self.lifetime) = (node, lifetime) }

    /// Returns the nodes with the same folder that are alive, each once: they were registered for longer than a dead node would be.
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
