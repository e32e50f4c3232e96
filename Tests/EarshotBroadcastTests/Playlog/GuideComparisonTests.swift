import EarshotCore
import EarshotMusic
import Foundation
import Testing

@testable import EarshotBroadcast

@Suite("A log beside the guide")
struct GuideComparisonTests {
    private static let start = Date(timeIntervalSince1970: 1_777_658_400)
    private static let channel = PlayChannel(id: "one")

    private static func airing(_ hour: Double, _ title: String, id: String? = nil) -> Airing {
        let begin = start.addingTimeInterval(hour * 3_600)
        return Airing(
            start: begin,
            end: begin.addingTimeInterval(3_600),
            channel: BroadcastChannel(id: "one", name: Name("One")),
            program: Program(id: EntityID(id ?? title), title: Name(title))
        )
    }

    private static func play(
        _ begin: Double,
        _ length: Double,
        _ title: String,
        kind: PlayKind = .programme,
        reference: String? = nil
    ) -> PlayRecord {
        let begin = start.addingTimeInterval(begin)
        return PlayRecord(
            channel: channel,
            start: begin,
            end: begin.addingTimeInterval(length),
            referenceID: ReferenceID(reference ?? "\(title)-\(kind.rawValue)"),
            title: title,
            kind: kind,
            state: .final
        )
    }

    private static func compared(
        _ airings: [Airing],
        _ plays: [PlayRecord],
        gaps: [StreamGap] = [],
        hours: Double = 24
    ) -> GuideComparison {
        let heard = DetectedInterval(channel: channel, start: start, end: start.addingTimeInterval(hours * 3_600))
        let now = start.addingTimeInterval(hours * 3_600)
        return GuideComparison(airings: airings, plays: plays, gaps: gaps, heard: [heard], now: now)
    }

    @Test("a programme is found by its title, in whatever letters, or by an identifier; the tolerance is two minutes")
    func programmes() {
        let airings = [Self.airing(0, "Night Ferry"), Self.airing(1, "News"), Self.airing(2, "Film", id: "film-7")]
        let plays = [
            Self.play(119, 3_400, "NIGHT FERRY (Live)"), Self.play(3_600 + 121, 3_000, "News"),
            Self.play(7_100, 3_600, "Another title", reference: "film-7"),
        ]
        let comparison = Self.compared(airings, plays)
        #expect(comparison.entries.map(\.outcome) == [.onTime, .moved, .onTime])
        #expect(comparison.entries[1].heardStart == Self.start.addingTimeInterval(3_721))
        #expect(comparison.unannounced.isEmpty)
    }

    @Test("another programme, nothing known, no audio, and what is still to come are told apart")
    func others() {
        let airings = (0..<5).map { Self.airing(Double($0), "Programme \($0)") }
        let lost = StreamGap(
            channel: Self.channel,
            start: Self.start.addingTimeInterval(7_200),
            end: Self.start.addingTimeInterval(10_700)
        )
        let plays = [
            Self.play(0, 2_400, "Something else"), Self.play(3_700, 180, "Lantern", kind: .song),
            Self.play(3_900, 30, "Soap", kind: .advertisement),
        ]
        let comparison = Self.compared(airings, plays, gaps: [lost], hours: 3.5)
        #expect(comparison.entries.map(\.outcome) == [.replaced, .unconfirmed, .unheard, .unconfirmed, .ahead])
        #expect(comparison.entries[0].others == ["Something else"])
        #expect(comparison.entries[1].songs == 1 && comparison.entries[1].spots == 1)
        #expect(comparison.entries[2].heardSeconds == 100)
        #expect(comparison.unannounced.map(\.title) == ["Something else"])
    }

    @Test("a programme that is announced twice goes to the nearer time, and one that is hours away to none")
    func nearest() {
        let airings = [Self.airing(0, "News"), Self.airing(2, "News")]
        let plays = [Self.play(7_300, 900, "News"), Self.play(20_000, 900, "News")]
        let comparison = Self.compared(airings, plays)
        #expect(comparison.entries.map(\.outcome) == [.unconfirmed, .onTime])
        #expect(comparison.unannounced.count == 1)
    }
}
