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
}
