import EarshotCore
import Testing

@testable import EarshotCatalogs

@Suite("Placements")
struct PlacementTests {
    private static func time(_ seconds: Double) -> MediaTime {
        MediaTime(seconds: seconds, preferredTimescale: 16_000)
    }

    private let placement = Placement(
        offset: time(60),
        queryRange: time(1)..<time(9),
        referenceRange: time(61.05)..<time(69.45),
        speedSkew: 0.05,
        confidence: 0.9
    )

    @Test("the reference time runs at the measured speed from the offset")
    func referenceTime() {
        #expect(placement.referenceTime(at: .zero) == Self.time(60))
        #expect(placement.referenceTime(at: Self.time(10)) == Self.time(70.5))
        #expect(placement.referenceTime(at: Self.time(-2)) == Self.time(57.9))
    }

    @Test("a match and a play have the members of their placement")
    func members() {
        let other = Placement(offset: .zero, queryRange: .zero..<Self.time(1), referenceRange: .zero..<Self.time(1))
        let match = ReferenceMatch(
            id: "one",
            items: [],
            referenceDuration: Self.time(200),
            occurrences: [placement, other]
        )
        #expect(match.best == placement && match.offset == placement.offset && match.confidence == 0.9)
        let play = Play(id: "one", items: [], referenceDuration: Self.time(200), placement: placement)
        #expect(play.queryRange == placement.queryRange && play.speedSkew == 0.05)
        var followed = TrackedPlay(number: 1, id: "one", referenceDuration: Self.time(200), placement: placement)
        followed.score = 12
        #expect(followed.placement.score == 12 && followed.playedDuration == Self.time(8))
    }
}
