import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

/// Both ends of every range that is promised: speed, pitch, and the length of a query.
@Suite("Ends of the ranges")
struct SearchRangeTests {
    private static let semitone = exp2(1.0 / 12)
    private static let rangeEnds: [SyntheticMusic.Change] = [
        .played(0.90), .played(1.10), .init(speed: 0.90), .init(speed: 1.10),
        .init(pitch: pow(semitone, -1.5)), .init(pitch: pow(semitone, 1.5)),
    ]

    private static func alignment(speed: Double, semitones: Double) -> Alignment {
        Alignment(
            offset: 0,
            speed: speed,
            pitch: semitones * SearchRange.binsPerSemitone * Double(Landmark.stepsPerBin)
        )
    }

    // MARK: - Speed and pitch

    @Test(
        "finds a query at either end, with speed, pitch and place",
        .requirements("R-CC-066"),
        arguments: rangeEnds,
        [2.0, 5, 15]
    )
    func ends(change: SyntheticMusic.Change, seconds: Double) throws {
        for (piece, id) in zip(Songs.pieces, Songs.ids) {
            let query = try piece.signature(from: 2, seconds: seconds, change: change)
            let found = try #require(try Songs.catalog.get().match(query)?.references.first, "\(id)")
            #expect(found.id == id)
            #expect(abs(found.offset.seconds - 2) < 0.1, "\(id)")
            #expect(abs(found.speedSkew - (change.speed - 1)) < 0.006, "\(id)")
            #expect(abs(found.pitchSkew - (change.pitch - 1)) < 0.006, "\(id)")
        }
    }

    @Test("follows a longer recording at either end", arguments: rangeEnds)
    func recordings(change: SyntheticMusic.Change) throws {
        let query = try Songs.pieces[1].signature(seconds: 20 / change.speed, change: change)
        let plays = try Songs.catalog.get().plays(in: query)
        #expect(plays.map(\.id) == ["second"])
        let play = try #require(plays.first)
        #expect(abs(play.offset.seconds) < 0.05)
        #expect(abs(play.speedSkew - (change.speed - 1)) < 0.002)
        #expect(abs(play.pitchSkew - (change.pitch - 1)) < 0.003)
        #expect((play.queryRange.upperBound - play.queryRange.lowerBound).seconds > 15)
    }

    @Test("allows for errors of measurement at the ends, and for nothing beyond")
    func bounds() {
        for speed in stride(from: 0.90, through: 1.10, by: 0.005) {
            let follows = 12 * log2(speed)
            for error in [-0.2, 0, 0.2] {
                #expect(SearchRange.contains(Self.alignment(speed: speed, semitones: follows + error)), "\(speed)")
                #expect(SearchRange.contains(Self.alignment(speed: speed, semitones: error)), "\(speed)")
            }
        }
        for semitones in stride(from: -1.5, through: 1.5, by: 0.1) {
            #expect(SearchRange.contains(Self.alignment(speed: 1, semitones: semitones)), "\(semitones)")
        }
        // Speed off by a per cent, as in a query of a second.
        #expect(SearchRange.contains(Self.alignment(speed: 0.89, semitones: 12 * log2(0.90))))
        #expect(SearchRange.contains(Self.alignment(speed: 1.11, semitones: 12 * log2(1.10))))
        let outside: [(Double, Double)] = [
            (0.87, 0), (0.87, 12 * log2(0.87)), (1.13, 0), (1.13, 12 * log2(1.13)), (1, -1.8), (1, 1.8),
            (1.10, -1.82), (0.90, 1.8), (0.95, -1.82), (0.90, -2.2),
        ]
        for (speed, semitones) in outside {
            #expect(!SearchRange.contains(Self.alignment(speed: speed, semitones: semitones)), "\(speed), \(semitones)")
        }
    }

    @Test("tries speeds and pitches so near each other that none of the range lies between them")
    func grid() {
        let tried = Hypothesis.escalation + [.plain]
        func isNear(_ speed: Double, _ pitch: Double) -> Bool {
            tried.contains { abs($0.speed - speed) < 0.0201 && abs($0.pitch - pitch) < 1.01 }
        }
        for speed in stride(from: 0.90, through: 1.10, by: 0.001) {
            #expect(isNear(speed, Hypothesis.bins(ofRatio: speed)), "\(speed)")
            #expect(isNear(speed, 0), "\(speed) at its pitch")
        }
        for pitch in stride(from: -6.0, through: 6, by: 0.1) { #expect(isNear(1, pitch), "\(pitch) bins") }
        #expect(Hypothesis.escalation.count == 18)
        for hypothesis in tried { #expect(SearchRange.speeds.contains(hypothesis.speed)) }
    }

    // MARK: - Length

    @Test(
        "takes exactly one second and exactly fifteen, at every rate",
        .requirements("R-CC-015"),
        arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000],
        [1.0, 15]
    )
    func lengths(rate: Int, seconds: Double) throws {
        let query = try Songs.pieces[1].signature(from: 3, seconds: seconds, sampleRate: rate)
        #expect(query.duration == MediaTime(value: Int64(seconds), timescale: 1))
        let found = try #require(try Songs.catalog.get().match(query)?.references.first)
        #expect(found.id == "second")
        #expect(abs(found.offset.seconds - 3) < 0.05)
    }

    @Test(
        "says of a query just outside of the lengths that it is outside",
        .requirements("R-CC-015"),
        arguments: [
            (997, 1_000, "lasts 0.997 s"), (15_999, 16_000, "lasts 0.999 s"), (44_099, 44_100, "lasts 0.999 s"),
            (15_003, 1_000, "lasts 15.003 s"), (240_001, 16_000, "lasts 15.001 s"), (500, 1_000, "lasts 0.5 s"),
            (60_000, 1_000, "lasts 60.0 s"),
        ]
    )
    func messages(frames: Int, rate: Int, says: String) throws {
        let long = Songs.drawn(3, seconds: 70)
        var catalog = Catalog()
        try catalog.add(long, representing: [], id: "long")
        let query = Signature(
            configuration: .standard,
            duration: MediaTime(value: Int64(frames), timescale: Int32(rate)),
            landmarks: long.landmarks.filter { Int($0.time) * rate < frames * Landmark.stepsPerSecond }
        )
        let error = #expect(throws: EarshotError.self) { try catalog.match(query) }
        #expect(error?.code == .signatureDurationInvalid)
        #expect(
            error?.message.contains("\(says), and the catalog takes 1.0 to 15.0 s") == true,
            "\(error?.message ?? "")"
        )
    }
}
