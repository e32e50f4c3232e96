import EarshotNodes
import EarshotSharedCatalogs
import Testing

@Suite("Placement of segments")
struct SegmentPlacementTests {
    private static func node(
        _ id: String,
        place: String?,
        address: String? = "host:1",
        bytes: Int? = 1,
        isDraining: Bool = false
    ) -> NodeRecord {
        NodeRecord(
            id: NodeID(rawValue: id),
            name: "host",
            place: place.map(PlaceID.init),
            isDraining: isDraining,
            address: address,
            cacheBytes: bytes
        )
    }

    @Test("only nodes that tell where they search and how much room they have hold segments")
    func nodes() {
        let placement = SegmentPlacement(
            [
                Self.node("a", place: "a"), Self.node("b", place: nil), Self.node("c", place: "c", address: nil),
                Self.node("d", place: "d", bytes: nil), Self.node("e", place: "e", bytes: 0),
            ],
            copies: 2
        )
        #expect(placement.order(of: "segment") == [NodeID(rawValue: "a")])
        #expect(placement.holds(PlaceID(rawValue: "a"), "segment"))
        #expect(!placement.holds(PlaceID(rawValue: "c"), "segment"))
    }

    @Test(
        "a node that has started again is asked under its new name, and holds what it held",
        arguments: [false, true]
    )
    func restart(isReversed: Bool) {
        let nodes = [
            Self.node("old", place: "a", isDraining: true), Self.node("new", place: "a"), Self.node("b", place: "b"),
        ]
        let placement = SegmentPlacement(isReversed ? nodes.reversed() : nodes, copies: 1)
        let before = SegmentPlacement([nodes[0], nodes[2]], copies: 1)
        for segment in ["s", "t", "u", "v"] {
            #expect(!placement.order(of: segment).contains(NodeID(rawValue: "old")))
            let place = PlaceID(rawValue: "a")
            #expect(placement.holds(place, segment) == before.holds(place, segment))
        }
    }

    @Test("a node holds what is placed on it as far as it has room, and first what no other holds before it")
    func room() {
        let nodes = [Self.node("a", place: "a", bytes: 250), Self.node("b", place: "b", bytes: 1_000)]
        let placement = SegmentPlacement(nodes, copies: 2)
        let segments = (0..<4).map { number in
            SharedSegment(
                number: number,
                object: "segment-\(number)",
                size: 100,
                referenceCount: 1,
                frameCount: 1,
                postingCount: 1,
                position: number
            )
        }
        let place = PlaceID(rawValue: "a")
        let held = placement.held(by: place, of: segments)
        #expect(held.count == 2)
        #expect(placement.held(by: PlaceID(rawValue: "b"), of: segments).count == 4)
        #expect(placement.held(by: PlaceID(rawValue: "c"), of: segments).isEmpty)
        let first = segments.map(\.object).filter { placement.rank(of: place, for: $0) == 0 }
        #expect(first.prefix(2).allSatisfy(held.contains))
    }
}
