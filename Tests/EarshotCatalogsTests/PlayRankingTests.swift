import EarshotCore
import Testing

@testable import EarshotCatalogs

@Suite("The best play of each reference")
struct PlayRankingTests {
    private static func play(_ id: ReferenceID, _ begin: Double, _ end: Double, score: Double) -> Play {
        let range = MediaTime(seconds: begin)..<MediaTime(seconds: end)
        let placement = Placement(offset: .zero, queryRange: range, referenceRange: range, score: score)
        return Play(id: id, items: [], referenceDuration: MediaTime(seconds: 300), placement: placement)
    }

    private static func names(_ plays: [Play]) -> [String] { plays.bestPerReference().map(\.id.rawValue) }

    @Test("in a short recording the higher score decides, whatever the lengths")
    func short() {
        let plays = [Self.play("faint", 0, 15, score: 10), Self.play("clear", 3, 8, score: 40)]
        #expect(Self.names(plays) == ["clear", "faint"])
    }

    @Test("in a long recording the longer play decides, whatever the scores")
    func long() {
        let plays = [
            Self.play("jingle", 0, 6, score: 90), Self.play("song", 10, 200, score: 50),
            Self.play("bed", 10, 60, score: 70),
        ]
        #expect(Self.names(plays) == ["song", "bed", "jingle"])
    }

    @Test("plays of equal lengths to the second are ranked by score, and then keep their order")
    func equal() {
        let plays = [
            Self.play("a", 0, 30.3, score: 5), Self.play("b", 0, 29.8, score: 6), Self.play("c", 1, 31, score: 6),
        ]
        #expect(Self.names(plays) == ["b", "c", "a"])
    }

    @Test("of several plays of a reference the best one is given")
    func several() {
        let plays = [
            Self.play("a", 0, 20, score: 5), Self.play("a", 100, 180, score: 3), Self.play("b", 30, 70, score: 9),
        ]
        let best = plays.bestPerReference()
        #expect(best.map(\.id.rawValue) == ["a", "b"])
        #expect(best.first?.queryRange.lowerBound == MediaTime(seconds: 100))
        #expect([Play]().bestPerReference().isEmpty)
    }
}
