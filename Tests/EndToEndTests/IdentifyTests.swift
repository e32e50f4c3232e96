import Earshot
import Foundation
import TestSupport
import Testing

@Suite("earshot identify")
struct IdentifyTests {
    @Test("a damaged recording is found at its place and speed", .requirements("R-CC-107"))
    func damagedRecording() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await Workshop.earshot.run(
            ["identify", workshop.clip.path, "--catalog", workshop.catalog.path, "--json"]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let document = try Document(outcome.output)
        #expect(document["clips", 0, "matches", 0, "id"] as? String == Workshop.clipName)
        let offset = try #require(document["clips", 0, "matches", 0, "offset"] as? Double)
        #expect(abs(offset - 12) < 0.05)
        let speed = try #require(document["clips", 0, "matches", 0, "speedSkew"] as? Double)
        #expect(abs(speed - 0.03) < 0.005)
        let pitch = try #require(document["clips", 0, "matches", 0, "pitchSkew"] as? Double)
        #expect(abs(pitch - 0.03) < 0.005)
        #expect(document["clips", 0, "matches", 0, "items", 0, "title"] is String)
        #expect(document["clips", 0, "matches", 0, "items", 0, "sourceStamp"] == nil)
    }

    @Test("a foreign recording is answered by nothing, with status 3")
    func foreignRecording() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await Workshop.earshot.run(["identify", workshop.foreign.path, "-c", workshop.catalog.path])
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("Nothing matched."))
    }

    @Test("a person is told title, place, speed and confidence")
    func humanAnswer() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await Workshop.earshot.run(["identify", workshop.clip.path, "-c", workshop.catalog.path])
        #expect(outcome.output.contains("warm ink 日本"))
        #expect(outcome.output.contains("at 0:12.0") || outcome.output.contains("at 0:11.9"))
        #expect(outcome.output.contains("3.0 % fast"))
    }

    @Test("standard input is a clip too")
    func standardInput() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await Workshop.earshot.run(
            ["identify", "-", "-c", workshop.catalog.path, "--jsonl"],
            input: try Data(contentsOf: workshop.clip)
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try Document(outcome.output)["matches", 0, "id"] as? String == Workshop.clipName)
    }

    @Test("a long recording is sliced, and its parts are one play")
    func longRecording() async throws {
        let workshop = try await Workshop.shared()
        let source = workshop.folder.appendingPathComponent(Workshop.clipName)
        let outcome = try await Workshop.earshot.run(
            ["identify", source.path, "-c", workshop.catalog.path, "--all", "--json"]
        )
        let document = try Document(outcome.output)
        let matches = try #require(document["clips", 0, "matches"] as? [Any])
        #expect(matches.count == 1)
        let begin = try #require(document["clips", 0, "matches", 0, "queryBegin"] as? Double)
        let end = try #require(document["clips", 0, "matches", 0, "queryEnd"] as? Double)
        #expect(begin < 1.5)
        #expect(end > 28)
    }

    @Test("one bad clip does not stop the others")
    func oneBadClip() async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await Workshop.earshot.run(
            ["identify", "/nowhere/at/all.wav", workshop.clip.path, "-c", workshop.catalog.path, "--jsonl"]
        )
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("/nowhere/at/all.wav"))
        #expect(outcome.output.contains(Workshop.clipName))
    }
}
