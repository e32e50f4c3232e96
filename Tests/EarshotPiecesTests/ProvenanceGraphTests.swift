import EarshotCore
import EarshotPieces
import TestSupport
import Testing

@Suite("Provenance of pieces")
struct ProvenanceGraphTests {
    @Test("A chain of three answers both ways, and keeps what was removed")
    func chain() throws {
        let ids = (0..<3).map { _ in PieceID() }
        var graph = ProvenanceGraph()
        try graph.add(ids[0], basedOn: [])
        try graph.add(ids[1], basedOn: [ids[0]])
        try graph.add(ids[2], basedOn: [ids[1], ids[0]])
        #expect(graph.ancestors(of: ids[2]).map(\.id) == [ids[1], ids[0]])
        #expect(graph.ancestors(of: ids[2]).map(\.distance) == [1, 1])
        #expect(graph.descendants(of: ids[0]).map(\.id) == [ids[1], ids[2]])
        try graph.remove(ids[0])
        #expect(!graph.contains(ids[0]) && graph.parents(of: ids[1]) == [ids[0]])
        #expect(graph.ancestors(of: ids[2]).map(\.isRemoved) == [false, true])
        #expect(graph.descendants(of: ids[0]).count == 2)
        let error = #expect(throws: EarshotError.self) { try graph.remove(ids[0]) }
        #expect(error?.code == .pieceNotFound)
    }

    @Test("Unknown parents, circles and doubles are refused, and leave the graph as it was")
    func refused() throws {
        let (one, other) = (PieceID(), PieceID())
        var graph = ProvenanceGraph()
        try graph.add(one, basedOn: [])
        let before = graph
        for (id, parents, code) in [
            (other, [PieceID()], .unknownParent), (other, [one, one], .pieceInvalid), (other, [other], .pieceInvalid),
            (one, [], .pieceInvalid),
        ] as [(PieceID, [PieceID], EarshotError.Code)] {
            let error = #expect(throws: EarshotError.self) { try graph.add(id, basedOn: parents) }
            #expect(error?.code == code)
            #expect(graph == before)
        }
    }

    @Test("In any graph, who descends from a piece has it among the ancestors")
    func property() {
        TestSupport.property("ancestry", rounds: 30) { generator in
            var graph = ProvenanceGraph()
            var ids: [PieceID] = []
            for _ in 0..<40 {
                let id = PieceID()
                let parents = Array(
                    Set(
                        (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                            ids.randomElement(using: &generator)
                        }
                    )
                )
                try graph.add(id, basedOn: parents)
                ids.append(id)
            }
            for id in ids {
                let descendants = graph.descendants(of: id)
                guard
                    descendants.allSatisfy({ relative in
                        graph.ancestors(of: relative.id).contains { $0.id == id && $0.distance == relative.distance }
                    }), !descendants.contains(where: { $0.id == id })
                else { return false }
            }
            return true
        }
    }
}
