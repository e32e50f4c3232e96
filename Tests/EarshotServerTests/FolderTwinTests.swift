import EarshotNodes
import Testing

@testable import EarshotServer

@Suite("Nodes with a copy of a node's folder")
struct FolderTwinTests {
    private static func record(_ id: String, _ place: String?) -> NodeRecord {
        NodeRecord(id: NodeID(rawValue: id), name: "host", place: place.map { PlaceID(rawValue: $0) })
    }

    private let node = record("node-a", "folder")

    @Test("one that goes on to announce itself is named once, and one that was killed a moment ago is not")
    func twins() {
        var twins = FolderTwins(of: node, lifetime: 15)
        let (dead, alive) = (Self.record("node-b", "folder"), Self.record("node-c", "folder"))
        #expect(twins.new(in: [node, dead], at: 100).isEmpty)
        #expect(twins.new(in: [node, dead, alive], at: 110).isEmpty)
        // The dead one has been silent for too long by now.
        #expect(twins.new(in: [node, alive], at: 116).isEmpty)
        #expect(twins.new(in: [node, alive], at: 125).isEmpty)
        #expect(twins.new(in: [node, alive], at: 126) == [alive])
        #expect(twins.new(in: [node, alive], at: 131).isEmpty)
        // One that went and came back begins anew.
        #expect(twins.new(in: [node, dead], at: 140).isEmpty)
        #expect(twins.new(in: [node, dead], at: 155).isEmpty)
        #expect(twins.new(in: [node, dead], at: 156) == [dead])
    }

    @Test("nodes of other folders, and of versions that tell of none, are none of them")
    func others() {
        var twins = FolderTwins(of: node, lifetime: 15)
        let others = [node, Self.record("node-b", "other"), Self.record("node-c", nil)]
        for time in [0.0, 20, 40] { #expect(twins.new(in: others, at: time).isEmpty) }
        var unnamed = FolderTwins(of: Self.record("node-a", nil), lifetime: 15)
        for time in [0.0, 20, 40] { #expect(unnamed.new(in: others, at: time).isEmpty) }
    }
}
