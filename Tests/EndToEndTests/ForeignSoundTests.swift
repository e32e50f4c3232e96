import Earshot
import Foundation
import TestSupport
import Testing

@Suite("Sounds that are no music")
struct ForeignSoundTests {
    /// Fifteen seconds of each piece that ships with the package: the tests run unoptimized.
    private static let catalog = Task {
        var catalog = Catalog()
        let folder = Recordings.samples.appendingPathComponent("Music")
        for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where url.pathExtension == "ogg" {
            let signature = try Signature.of(try await Recordings.audio(url, seconds: 20..<35))
            try catalog.add(signature, representing: [], id: ReferenceID(url.lastPathComponent))
        }
        return catalog
    }

    private static let rate = 16_000
    private static let count = 8 * rate

    private static func sine(_ hertz: Double, _ index: Int) -> Float {
        Float(sin(2 * .pi * hertz * Double(index) / Double(rate)))
    }

    /// A burst of a tone at the beginning of each period.
    private static func ticks(every seconds: Double, hertz: Double) -> [Float] {
        (0..<count).map { index in
            let place = index % Int(seconds * Double(rate))
            return sine(hertz, place) * exp(-Float(place) / 160) * 0.5
        }
    }

    /// What is played: its name, and eight seconds of it.
    private static let sounds: [(name: String, samples: @Sendable () -> [Float])] = [
        ("tone of 440 Hz", { (0..<count).map { sine(440, $0) * 0.3 } }),
        ("chord", { (0..<count).map { (sine(261.63, $0) + sine(329.63, $0) + sine(392, $0)) * 0.2 } }),
        (
            "sweep from 200 to 4,000 Hz",
            {
                (0..<count).map { index in
                    let time = Double(index) / Double(rate)
                    // The frequency rises by the same ratio each second: the phase is its integral.
                    let rise = log(20.0) / 8
                    return Float(sin(2 * .pi * 200 * (exp(rise * time) - 1) / rise)) * 0.3
                }
            }
        ),
        ("white noise", { Degradation.noise(count: count, seed: 5).map { $0 * 0.1 } }),
        ("metronome", { ticks(every: 0.5, hertz: 1_000) }),
        ("quick metronome", { ticks(every: 0.25, hertz: 1_600) }),
        ("clicks", { (0..<count).map { $0 % 3_200 == 0 ? 0.8 : 0 } }),
        ("fast clicks", { (0..<count).map { $0 % 1_000 == 0 ? 0.8 : 0 } }),
    ]

    @Test("are not answered by any music", arguments: sounds.indices)
    func sound(number: Int) async throws {
        let catalog = try await Self.catalog.value
        #expect(catalog.count == 5)
        let sound = Self.sounds[number]
        let signature = try Signature.of(sound.samples())
        // A sound without a peak in time has no landmarks, and is refused.
        guard !signature.isEmpty else { return }
        let match = try catalog.match(signature)
        #expect(match == nil, "\(sound.name) was answered by \(match?.references[0].id.rawValue ?? "")")
    }

    @Test("silence is no question")
    func silence() async throws {
        let catalog = try await Self.catalog.value
        let silent = try Signature.of([Float](repeating: 0, count: Self.count))
        #expect(code { _ = try catalog.match(silent) } == .signatureInvalid)
    }

    @Test("the music itself is answered")
    func music() async throws {
        let catalog = try await Self.catalog.value
        let url = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
        let audio = try await Recordings.audio(url, seconds: 23..<29)
        let match = try #require(try catalog.match(.of(audio)))
        #expect(match.references.map(\.id) == ["warm-ink.ogg"])
        #expect(abs(match.references[0].offset.seconds - 3) < 0.02)
    }
}
