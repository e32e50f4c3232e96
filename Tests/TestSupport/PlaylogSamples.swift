package import EarshotBroadcast
import EarshotCore
import EarshotMusic
package import Foundation

/// Plays for tests of logs.
package enum PlaylogSamples {
    /// 2026-05-01T18:30:00.250Z.
    package static let evening = HistorySamples.evening

    /// A channel.
    package static func channel(_ id: String = "one") -> PlayChannel {
        PlayChannel(id: EntityID(id), name: "Channel \(id)")
    }

    /// A play that begins some seconds after ``evening``.
    package static func play(
        _ reference: String? = "lantern",
        on id: String = "one",
        at seconds: Double = 0,
        for duration: Double = 180,
        _ state: PlayState = .final,
        kind: PlayKind = .song
    ) -> PlayRecord {
        let start = evening.addingTimeInterval(seconds)
        return PlayRecord(
            channel: channel(id),
            start: start,
            end: start.addingTimeInterval(duration),
            referenceID: reference.map { .init($0) },
            kind: kind,
            state: state
        )
    }

    /// A play with every value.
    package static let full = {
        var play = PlaylogSamples.play()
        (play.title, play.artist, play.album) = ("Lantern", "The Tin Foxes", "Morning Rail")
        (play.isrc, play.label, play.workID) = ("GBAYE0601498", "Rail \"One\", Ltd.", "work-7")
        (play.referenceStart, play.referenceEnd, play.referenceDuration) = (1.25, 181.1, 201.5)
        (play.queryStart, play.queryEnd) = (3_600.5, 3_780.5)
        (play.score, play.confidence, play.speedSkew, play.pitchSkew) = (38.25, 0.999, -0.0012, 0.01)
        (play.endReason, play.callerRef, play.notes) = (.replaced, "=station 4", "first play\nof the day")
        play.playedDuration = 171.75
        return play
    }()

    /// A random play, with values that are wrong now and then.
    package static func random(using generator: inout some RandomNumberGenerator) -> PlayRecord {
        let texts = [
            "", "a", "=1+1", "'=1", "''@x", "é\u{301}", "x,\"y\"", "two\r\nlines", "-", "'", "日本", "\t=", "＝2", "\u{0}",
        ]
        let numbers = [0, 1, -1, 0.1, 1e-12, 12_345.678, -0.000_1, 1e20, .nan, .infinity, -.infinity]
        func text() -> String? { Bool.random(using: &generator) ? texts.randomElement(using: &generator) : nil }
        func number() -> Double? {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: nil
            case 1: numbers.randomElement(using: &generator)
            default: Double.random(in: -100...100, using: &generator)
            }
        }
        let kinds = PlayKind.known + ["weather", "=1"]
        var play = PlayRecord(
            channel: PlayChannel(id: EntityID(["one", "two", "=three", "a,b"].randomElement(using: &generator) ?? "")),
            start: evening.addingTimeInterval(Double.random(in: -1e9...1e9, using: &generator)),
            referenceID: text().map { .init($0) },
            title: text(),
            artist: text(),
            kind: kinds.randomElement(using: &generator) ?? .song,
            state: Bool.random(using: &generator) ? .final : .provisional
        )
        play.end = play.start.addingTimeInterval(Double.random(in: -10...10_000, using: &generator))
        play.playedDuration = number() ?? 0
        (play.album, play.isrc, play.label, play.workID) = (text(), text(), text(), text())
        (play.callerRef, play.notes) = (text(), text())
        (play.referenceStart, play.referenceEnd, play.referenceDuration) = (number(), number(), number())
        (play.queryStart, play.queryEnd, play.score) = (number(), number(), number())
        (play.confidence, play.speedSkew, play.pitchSkew) = (number(), number(), number())
        play.endReason = Bool.random(using: &generator) ? .ended : nil
        return play
    }
}
