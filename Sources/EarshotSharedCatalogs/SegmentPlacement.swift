package import EarshotNodes

/// Says which nodes hold which segments of a catalog of which no node holds all.
package struct SegmentPlacement: Sendable {
    /// The number of nodes that hold each segment.
    package let copies: Int
    /// The nodes that may hold segments, by their folders.
    package let nodes: [PlaceID: NodeRecord]
    private let rendezvous: Rendezvous

    /// A placement on those of the nodes that tell where they search and how much room they have.
    ///
    /// A node that is being drained stays in: it keeps its segments, and others ask it as long as it answers.
    package init(_ nodes: [NodeRecord], copies: Int) {
        self.copies = max(1, copies)
        var known: [PlaceID: NodeRecord] = [:]
        for node in nodes where node.address != nil && node.cacheBytes ?? 0 > 0 {
            guard let place = node.place else { continue }
            // A node that has just restarted may still be registered under its old name too: the one that is not draining is meant.
            if let other = known[place], !other.isDraining, node.isDraining { continue }
            known[place] = node
        }
        self.nodes = known
        rendezvous = Rendezvous(
            known.map { Rendezvous.Holder(place: $0, weight: Double($1.cacheBytes ?? 0)) }
        )
    }

    /// Returns the nodes to ask for a segment: those that hold it, and then all others.
    ///
    /// - Parameter object: The name of the segment's file.
    package func order(of object: String) -> [NodeID] { rendezvous.order(of: object).compactMap { nodes[$0]?.id } }

    /// Returns the rank of a node among those that may hold a segment: below ``copies`` it holds it; `nil` if it is none of them.
    package func rank(of place: PlaceID, for object: String) -> Int? {
        rendezvous.order(of: object).firstIndex(of: place)
    }

    /// Returns `true` if a segment is placed on a node, whether or not the node has room for it.
    package func holds(_ place: PlaceID, _ object: String) -> Bool {
        rank(of: place, for: object).map { $0 < copies } ?? false
    }

    /// Returns the objects of the segments that a node holds: those that are placed on it, as far as it has room. Segments of which it is the
    /// first holder come first.
    package func held(by place: PlaceID, of segments: [SharedSegment]) -> Set<String> {
        var room = nodes[place]?.cacheBytes ?? 0
        let placed = segments.filter { $0.count > 0 }.compactMap { segment in
            rank(of: place, for: segment.object).flatMap { $0 < copies ? (segment: segment, rank: $0) : nil }
        }
        var held: Set<String> = []
        for (segment, _) in placed.sorted(by: { ($0.rank, $0.segment.object) < ($1.rank, $1.segment.object) })
        where segment.size <= room {
            room -= segment.size
            held.insert(segment.object)
        }
        return held
    }
}
