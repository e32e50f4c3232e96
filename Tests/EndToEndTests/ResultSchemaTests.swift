import Earshot
import Foundation
import TestSupport
import Testing

@Suite("JSON of results")
struct ResultSchemaTests {
    private let earshot = Workshop.earshot

    private static func schema() throws -> JSONSchema {
        try JSONSchema(contentsOf: packageFolder.appendingPathComponent("Docs/schemas/results.schema.json"))
    }

    /// Expects every line to fit a definition.
    private static func check(_ lines: String, as name: String) throws {
        let schema = try schema()
        let lines = lines.split(separator: "\n").map(String.init)
        #expect(!lines.isEmpty)
        for line in lines { #expect(try schema.faults(in: line, as: name) == [], "\(line)") }
    }

    @Test("identify has an answer for each input, in the form of the schema")
    func identify() async throws {
        let workshop = try await Workshop.shared()
        let nowhere = "/nowhere/at all.wav"
        let inputs = [nowhere, workshop.clip.path, workshop.foreign.path]
        let arguments = ["identify"] + inputs + ["-c", workshop.catalog.path]
        let outcome = try await earshot.run(arguments + ["--json"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.components(separatedBy: nowhere).count == 2, "\(outcome.errors)")
        #expect(try Self.schema().faults(in: outcome.output, as: "identify") == [])
        let document = try Document(outcome.output)
        #expect(document["schemaVersion"] as? Int == 1)
        #expect((0..<3).map { document["clips", $0, "clip"] as? String } == inputs)
        #expect(document["clips", 0, "error", "code"] as? String == "assetNotFound")
        #expect((document["clips", 0, "error", "message"] as? String)?.contains("at all.wav") == true)
        #expect(document["clips", 0, "matches"] == nil)
        #expect(document["clips", 1, "matches", 0, "id"] as? String == Workshop.clipName)
        #expect(document["clips", 1, "matches", 0, "items", 0] != nil)
        #expect((document["clips", 2, "matches"] as? [Any])?.isEmpty == true)
        let lines = try await earshot.run(arguments + ["--jsonl"])
        #expect(lines.status == 1)
        try Self.check(lines.output, as: "identifyLine")
        let clips = try lines.output.split(separator: "\n").map { try Document(String($0))["clip"] as? String }
        #expect(clips == inputs)
    }

    @Test("a single input that fails has an answer too", arguments: ["--json", "--jsonl"])
    func single(flag: String) async throws {
        let workshop = try await Workshop.shared()
        let outcome = try await earshot.run(["identify", "/nowhere.wav", "-c", workshop.catalog.path, flag])
        #expect(outcome.status == 1)
        let root = try Document(outcome.output)
        let entry: Any? = flag == "--json" ? root["clips", 0] : root.root
        #expect(((entry as? [String: Any])?["error"] as? [String: Any])?["code"] as? String == "assetNotFound")
    }

    @Test("tracklist fits the schema, also where the recording cannot be read")
    func tracklist() async throws {
        let workshop = try await Workshop.shared()
        let source = workshop.folder.appendingPathComponent(Workshop.clipName).path
        let found = try await earshot.run(["tracklist", source, "-c", workshop.catalog.path, "--json"])
        #expect(found.status == 0, "\(found.errors)")
        #expect(try Self.schema().faults(in: found.output, as: "tracklist") == [])
        let document = try Document(found.output)
        #expect(document["clip"] as? String == source)
        #expect(document["matches", 0, "id"] as? String == Workshop.clipName)
        #expect(abs((document["matches", 0, "referenceBegin"] as? Double ?? -1)) < 1.5)
        let lost = try await earshot.run(["tracklist", "/nowhere.wav", "-c", workshop.catalog.path, "--format", "json"])
        #expect(lost.status == 1)
        #expect(try Self.schema().faults(in: lost.output, as: "tracklist") == [])
        #expect(try Document(lost.output)["error", "code"] as? String == "assetNotFound")
    }

    @Test("listen fits the schema, and names places as identify does")
    func listen() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let content = folder.appendingPathComponent("ink.json")
            let entry = TimedEntry(id: "a", title: "First", start: MediaTime(value: 14, timescale: 1))
            try Timeline([entry], reference: ReferenceID(Workshop.clipName)).data(as: .json).write(to: content)
            let outcome = try await earshot.run([
                "listen", "-c", workshop.catalog.path, "--file", workshop.clip.path, "--fast", "--jsonl", "--content",
                content.path, "--look-ahead", "5",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            try Self.check(outcome.output, as: "listen")
            let first = try Document(String(try #require(outcome.output.split(separator: "\n").first)))
            #expect(abs((first["matches", 0, "offset"] as? Double ?? 0) - 12) < 0.1)
            #expect(first["matches", 0, "referenceBegin"] is Double)
            let other = try await earshot.run([
                "listen", "-c", workshop.catalog.path, "--file", workshop.foreign.path, "--fast", "--jsonl",
                "--repeats",
                "all",
            ])
            if !other.output.isEmpty { try Self.check(other.output, as: "listen") }
        }
    }

    @Test("monitors fit the schema")
    func monitors() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let bundle = folder.appendingPathComponent("a.earbundle").path
            let store = folder.appendingPathComponent("store").path
            let source = workshop.folder.appendingPathComponent(Workshop.clipName).path
            let built = try await earshot.run(["bundle", "build", source, "-o", bundle, "--id", "quiz"])
            #expect(built.status == 0, "\(built.errors)")
            _ = try await earshot.run(["bundle", "ingest", bundle, "--store", store])
            let watched = try await earshot.run(
                ["monitor", "watch", "--store", store, "--cache-only", "--pcm", "s16le:16000:1", "--jsonl"],
                input: try Data(contentsOf: workshop.clip).dropFirst(44)
            )
            #expect(watched.status == 0, "\(watched.errors)")
            try Self.check(watched.output, as: "monitorWatch")
            let result = try watched.output.split(separator: "\n").map { try Document(String($0)) }
                .first { $0["kind"] as? String == "result" }
            #expect(abs((result?["matches", 0, "offset"] as? Double ?? 0) - 12) < 1)
            #expect(result?["matches", 0, "position"] is Double)

            let settings: [String: Any] = [
                "catalog": workshop.catalog.path, "playlog": "plays.sqlite", "state": "state",
                "stations": [["id": "tape", "file": source, "since": "2026-05-01T18:30:00Z", "live": ["hours": 1]]],
            ]
            let file = folder.appendingPathComponent("stations.json")
            try JSONSerialization.data(withJSONObject: settings).write(to: file)
            let run = try await earshot.run(["monitor", "run", file.path, "--jsonl"])
            #expect(run.status == 0, "\(run.errors)")
            try Self.check(run.output, as: "monitorRun")
            #expect(run.output.contains("playEnded"))
            let lost = try await earshot.run(["monitor", "lookup", file.path, "/nowhere.wav", "--jsonl"])
            #expect(lost.status == 1)
            try Self.check(lost.output, as: "monitorLookup")
        }
    }

    @Test("the validator finds what is wrong")
    func validator() throws {
        let schema = try Self.schema()
        for (text, name) in [
            (#"{"clips": []}"#, "identify"), (#"{"schemaVersion": 2, "clips": []}"#, "identify"),
            (#"{"schemaVersion": 1, "clips": [{"clip": "a"}]}"#, "identify"),
            (
                #"{"schemaVersion": 1, "clips": [{"clip": "a", "duration": 1, "matches": [{"confidence": 2}]}]}"#,
                "identify"
            ),
            (#"{"schemaVersion": 1, "clips": [{"clip": "a", "duration": 1, "matches": [{"place": 2}]}]}"#, "identify"),
            (#"{"schemaVersion": 1, "clip": "a", "duration": "1", "matches": []}"#, "identifyLine"),
            (#"{"schemaVersion": 1, "event": "nothing", "time": 1}"#, "listen"),
        ] {
            #expect(try !schema.faults(in: text, as: name).isEmpty, "\(text)")
        }
        #expect(try schema.faults(in: #"{"schemaVersion": 1, "clips": []}"#, as: "identify") == [])
    }
}
