import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Records of plays")
struct PlayRecordTests {
    @Test("The identifier is made of channel, start and reference, and of nothing else")
    func identifiers() {
        let play = PlaylogSamples.play()
        var other = play
        (other.title, other.state, other.end) = ("x", .provisional, other.end + 5)
        #expect(other.id == play.id)
        #expect(PlaylogSamples.play(at: 0.001).id != play.id)
        #expect(PlaylogSamples.play("b").id != play.id)
        #expect(PlaylogSamples.play(on: "two").id != play.id)
        // The same for ever: others keep it.
        #expect(play.id.rawValue == "play-47e57fc0d94f8cb303fb2f78d57f56c4")
    }

    @Test("What was looked over can be kept and is not changed again; JSON gives it back")
    func checks() {
        property("PlayRecord.checked") { generator in
            let play = PlaylogSamples.random(using: &generator)
            let check = play.checked()
            guard let record = check.record else { return check.refusal != nil }
            let again = record.checked()
            let isSame = again.record == record && again.notices.allSatisfy { $0.member == "isrc" }
            let read = try PlaylogJSON.decode(PlayRecord.self, from: PlaylogJSON.encode(record))
            return isSame && read == record && record.end >= record.start && record.playedDuration <= record.span
        }
    }

    @Test("Texts that are too long are cut between characters, and identifiers that are too long refused")
    func sizes() {
        var play = PlaylogSamples.play()
        play.title = String(repeating: "é", count: 3_000)
        let check = play.checked()
        #expect(check.record?.title?.utf8.count == PlayRecord.maximumTextSize)
        #expect(check.notices.map(\.member) == ["title"])
        play.channel.id = EntityID(String(repeating: "x", count: 513))
        #expect(play.checked().record == nil)
        #expect(PlaylogSamples.play(String(repeating: "x", count: 513)).checked().refusal != nil)
    }

    @Test("A play that a monitor finds again after a restart goes on; one that is played again does not")
    func continuing() throws {
        var before = PlaylogSamples.play(for: 60, .provisional)
        (before.referenceStart, before.referenceEnd) = (5, 65)
        var after = PlaylogSamples.play(at: 90, for: 30)
        (after.referenceStart, after.referenceEnd, after.title) = (95.5, 125.5, "Lantern")
        let whole = try #require(after.continuing(before))
        #expect(whole.id == before.id && whole.start == before.start && whole.end == after.end)
        #expect(whole.referenceStart == 5 && whole.referenceEnd == 125.5 && whole.title == "Lantern")
        #expect(whole.playedDuration == 90 && whole.state == .final)
        after.referenceStart = 0
        #expect(after.continuing(before) == nil)
        after.referenceStart = 95
        #expect(PlaylogSamples.play("b", at: 90).continuing(before) == nil)
        before.state = .final
        #expect(after.continuing(before) == nil)
        before.endReason = .monitorStopped
        #expect(after.continuing(before)?.id == before.id)
    }

    @Test("Instants of all years are written and read to the millisecond")
    func instants() {
        property("PlaylogTime", rounds: 2_000) { generator in
            let date = PlaylogTime.date(Int64.random(in: PlaylogTime.range, using: &generator))
            return PlaylogTime.date(PlaylogTime.text(date)) == date
        }
        #expect(PlaylogTime.text(PlaylogSamples.evening) == "2026-05-01T18:30:00.250Z")
        #expect(PlaylogTime.text(.distantPast) == "0001-01-01T00:00:00.000Z")
        #expect(PlaylogTime.date("2026-05-01T20:30:00.25+02:00") == PlaylogSamples.evening)
        #expect(PlaylogTime.date("2024-02-29T00:00:00Z") != nil && PlaylogTime.date("2023-02-29T00:00:00Z") == nil)
        let wrong = [
            "", "2026-05-01", "2026-05-01T18:30:00", "2026-05-01T24:00:00Z", "2026-05-01T18:30:00.Z",
            "2026-00-01T18:30:00Z",
        ]
        for text in wrong { #expect(PlaylogTime.date(text) == nil, "\(text)") }
    }

    @Test("Cursors come back from their text, and others are refused")
    func cursors() {
        let cursor = PlayCursor(start: PlaylogSamples.evening, id: "a.b")
        #expect(PlayCursor(cursor.description) == cursor)
        for text in ["", "x", "1", "x.y", "99999999999999999.a"] { #expect(PlayCursor(text) == nil) }
    }
}
