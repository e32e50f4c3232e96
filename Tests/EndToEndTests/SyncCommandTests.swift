import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit
@testable import RecognitionCommands

@Suite("earshot sync")
struct SyncCommandTests {
    /// Two recordings of one piece and an unrelated one: the second begins 4.5 s after the first, hears it in noise, and
    /// its clock runs 60 ppm fast.
    private static let offset = 4.5
    private static let drift = 60e-6
    private static let files = Task { () -> (reference: String, recording: String, foreign: String, folder: URL) in
        let folder = try await Workshop.shared().folder
        let source = Recordings.samples.appendingPathComponent("Music/warm-ink.ogg")
        let whole = try await Recordings.audio(source, seconds: 0..<24)
        let part = Degradation.resampled(Array(whole[Int(offset * 16_000)...]), speed: 1 / (1 + drift))
        let noisy = Degradation.noisy(Array(part.prefix(14 * 16_000)), signalToNoise: 10, seed: 1)
        func write(_ name: String, _ audio: [Float]) throws -> String {
            let url = folder.appendingPathComponent(name)
            try Recordings.wave(audio).write(to: url)
            return url.path
        }
        return (
            try write("sync a.wav", whole.map { $0 * 0.5 }), try write("sync b.wav", noisy.map { $0 * 0.4 }),
            try await Workshop.shared().foreign.path, folder
        )
    }

    @Test("offset and drift are printed for people and programs, and the recording is written as it lies on the other")
    func align() async throws {
        let files = try await Self.files.value
        let wave = files.folder.appendingPathComponent("sync aligned.wav")
        let picture = files.folder.appendingPathComponent("sync.svg")
        let outcome = try await Workshop.earshot.run([
            "sync", files.reference, files.recording, "--json", "--apply", wave.path, "--plot", picture.path,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try Document(outcome.output)
        let offset = try #require(document["alignment", "offset"] as? Double)
        #expect(abs(offset - Self.offset) < 1e-4)
        let drift = try #require(document["alignment", "driftPPM"] as? Double)
        #expect(abs(drift - Self.drift * 1e6) < 6)
        #expect(try #require(document["alignment", "confidence"] as? Double) > 0.6)
        #expect(try String(contentsOf: picture, encoding: .utf8).contains("sync b.wav begins 4.5"))
        // What was written begins with the first recording, and has no drift.
        let again = try await Workshop.earshot.run(["sync", files.reference, wave.path])
        #expect(again.status == 0, "\(again.errors)")
        #expect(again.output.contains("sync aligned.wav begins 0.0000"))
        let refused = try await Workshop.earshot.run([
            "sync", files.reference, files.recording, "--apply", wave.path,
        ])
        #expect(refused.status == 4)
    }

    @Test("the other way round, a recording begins before")
    func before() async throws {
        let files = try await Self.files.value
        let outcome = try await Workshop.earshot.run(["sync", files.recording, files.reference])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("s before sync b.wav"))
        #expect(outcome.output.contains("ppm slow"))
    }

    @Test("recordings that share nothing are status 3, what cannot be used is refused")
    func refusals() async throws {
        let files = try await Self.files.value
        let nothing = try await Workshop.earshot.run(["sync", files.reference, files.foreign, "--json"])
        #expect(nothing.status == 3)
        #expect(try Document(nothing.output)["alignment"] == nil)
        let missing = try await Workshop.earshot.run(["sync", files.reference, "/nowhere/x.wav"])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("/nowhere/x.wav"))
        let silent = files.folder.appendingPathComponent("silent.wav")
        try Recordings.wave([Float](repeating: 0, count: 48_000)).write(to: silent)
        let silence = try await Workshop.earshot.run(["sync", files.reference, silent.path])
        #expect(silence.status == 1)
        #expect(silence.errors.contains("silent"))
        for arguments in [["-", files.recording], [files.reference, files.recording, "--plot", "x.gif"]] {
            let outcome = try await Workshop.earshot.run(["sync"] + arguments)
            #expect(outcome.status == 2, "\(arguments)")
        }
    }
}
