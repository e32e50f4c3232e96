import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("earshot monitor and bundle")
struct MonitorCommandTests {
    private static func lines(_ output: String) throws -> [Document] {
        try output.split(separator: "\n").map { try Document(String($0)) }
    }

    @Test("A scenario is printed as its timeline", .requirements("R-ACR-174"))
    func simulate() async throws {
        let outcome = try await Workshop.earshot.run(["monitor", "simulate", "t1"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                0 to 5            start; local, then online; miss, counted (1)
                25 to 29          localTimer; local only; miss, not counted
                49 to 53          localTimer; local only; miss, not counted
                60 to 65          onlineTimer; local, then online; miss, counted (2)
                85 to 89          localTimer; local only; miss, not counted
                109 to 113        localTimer; local only; miss, not counted
                125 to 130        onlineTimer; local, then online; miss, counted (3)
                next lookup: at 150 s

                """
        )
        let expected: [String: [[Double]]] = [
            "T1": [[0, 5], [25, 29], [49, 53], [60, 65], [85, 89], [109, 113], [125, 130]],
            "T2": [[0, 5], [25, 29], [49, 54]],
            "T3": [[0, 5], [25, 29], [49, 53], [73, 77], [89, 94]],
            "T4": [[0, 4], [60, 64], [124, 128]],
            "T5": [[0, 5], [65, 70]],
            "T6": [[0, 5], [40, 45]],
            "T7": [[0, 5], [5, 10]],
            "T8": [[0, 5]],
        ]
        let (counted, uncounted) = ("miss, counted", "miss, not counted")
        // What causes each lookup, and how it ends.
        let causes: [String: [String]] = [
            "T1": [
                "start", "localTimer", "localTimer", "onlineTimer", "localTimer", "localTimer", "onlineTimer",
            ],
            "T2": ["start", "localTimer", "localTimer > onlineTimer"],
            "T3": ["start", "localTimer", "localTimer", "localTimer", "onlineTimer"],
            "T4": ["start", "onlineTimer", "onlineTimer"], "T5": ["start", "transition"], "T6": ["start", "manual"],
            "T7": ["start", "manual"], "T8": ["start"],
        ]
        let ends: [String: [String]] = [
            "T1": [counted, uncounted, uncounted, counted, uncounted, uncounted, counted],
            "T2": [counted, uncounted, counted], "T3": [counted, "match", uncounted, uncounted, counted],
            "T4": [counted, counted, counted], "T5": [counted, counted], "T6": [counted, counted],
            "T7": [counted, counted], "T8": [counted],
        ]
        for (name, spans) in expected {
            let outcome = try await Workshop.earshot.run(["monitor", "simulate", name, "--json"])
            let document = try Document(outcome.output)
            let lookups = try #require(document["lookups"] as? [[String: Any]])
            #expect(lookups.map { [$0["begin"] as? Double ?? -1, $0["end"] as? Double ?? -1] } == spans, "\(name)")
            let told = lookups.map { lookup in
                [lookup["trigger"], lookup["upgradedBy"]].compactMap { $0 as? String }.joined(separator: " > ")
            }
            #expect(told == causes[name], "\(name)")
            #expect(lookups.compactMap { $0["outcome"] as? String } == ends[name], "\(name)")
        }
        let wrong = try await Workshop.earshot.run(["monitor", "simulate", "T9"])
        #expect(wrong.status == 1)
        #expect(wrong.errors.contains("T1 to T8"))
    }

    @Test(
        "A bundle is built, inspected, ingested and found in; a monitor tells of it in lines of JSON",
        .requirements("R-ACR-133", "R-ACR-136", "R-ACR-138", "R-ACR-194")
    )
    func bundle() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let manifest = folder.appendingPathComponent("list.csv")
            let reference = shop.folder.appendingPathComponent(Workshop.clipName).path
            let text = "file,id,title,subtitle,data,dataID\n\"\(reference)\",ink,Warm Ink,A song,question 7,quiz-7\n"
            try Data(text.utf8).write(to: manifest)
            let bundle = folder.appendingPathComponent("bundles/quiz.earbundle")
            try FileManager.default.createDirectory(
                at: bundle.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let built = try await Workshop.earshot.run(
                ["bundle", "build", "--manifest", manifest.path, "-o", bundle.path, "--id", "quiz", "--version", "3"]
            )
            #expect(built.status == 0, "\(built.errors)")
            let again = try await Workshop.earshot.run(
                ["bundle", "build", "--manifest", manifest.path, "-o", bundle.path]
            )
            #expect(again.status == 4)

            let inspected = try Document(
                try await Workshop.earshot.run(["bundle", "inspect", bundle.path, "--json"]).output
            )
            #expect(inspected["version"] as? Int == 3)
            #expect(inspected["references", 0, "dataID"] as? String == "quiz-7")

            // Beside the bundles lies a text, which is none.
            for name in ["b", "c"] {
                let other = folder.appendingPathComponent("bundles/\(name).earbundle")
                _ = try await Workshop.earshot.run(
                    ["bundle", "build", "--manifest", manifest.path, "-o", other.path, "--id", name]
                )
            }
            try Data("hello".utf8).write(to: folder.appendingPathComponent("bundles/readme.txt"))
            let store = folder.appendingPathComponent("store").path
            let ingested = try await Workshop.earshot.run(
                ["bundle", "ingest", bundle.deletingLastPathComponent().path, "--store", store]
            )
            #expect(ingested.status == 1)
            #expect(ingested.output.split(separator: "\n").count == 3)
            #expect(ingested.errors.contains("readme.txt"))
            let listed = try Document(
                try await Workshop.earshot.run(["bundle", "list", "--store", store, "--json"]).output
            )
            #expect((listed["bundles"] as? [Any])?.count == 3)

            let found = try await Workshop.earshot.run(
                ["bundle", "lookup", shop.clip.path, "--store", store, "--json"]
            )
            #expect(found.status == 0, "\(found.errors)")
            let match = try Document(found.output)
            #expect(match["matches", 0, "dataID"] as? String == "quiz-7")
            #expect(match["matches", 0, "data"] as? String == Data("question 7".utf8).base64EncodedString())
            #expect(abs((match["matches", 0, "offset"] as? Double ?? 0) - 12) < 0.2)

            let wave = try Data(contentsOf: shop.clip).dropFirst(44)
            let watched = try await Workshop.earshot.run(
                ["monitor", "watch", "--store", store, "--cache-only", "--pcm", "s16le:16000:1", "--jsonl"],
                input: wave
            )
            #expect(watched.status == 0, "\(watched.errors)")
            let lines = try Self.lines(watched.output)
            #expect(lines.allSatisfy { $0["kind"] is String && $0["time"] is Double })
            let result = try #require(lines.first { $0["kind"] as? String == "result" })
            #expect(result["matches", 0, "dataID"] as? String == "quiz-7")
            #expect(lines.contains { $0["kind"] as? String == "audioLevel" })

            let cleared = try await Workshop.earshot.run(["bundle", "clear", "--yes", "--store", store])
            #expect(cleared.status == 0)
            let nothing = try await Workshop.earshot.run(["bundle", "lookup", shop.clip.path, "--store", store])
            #expect(nothing.status == 3)
        }
    }

    @Test("A failure is shown with its words and its number", .requirements("R-ACR-190"))
    func failure() async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let store = folder.appendingPathComponent("store")
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
            // A manifest that is none.
            let built = folder.appendingPathComponent("a.earbundle")
            _ = try await Workshop.earshot.run(["bundle", "build", shop.clip.path, "-o", built.path])
            _ = try await Workshop.earshot.run(["bundle", "ingest", built.path, "--store", store.path])
            let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
            for name in names where !name.contains("lock") {
                let url = store.appendingPathComponent(name)
                if (try? Data(contentsOf: url)) != nil { try Data("no".utf8).write(to: url) }
            }
            let wave = try Data(contentsOf: shop.clip).dropFirst(44)
            let outcome = try await Workshop.earshot.run(
                ["monitor", "watch", "--store", store.path, "--cache-only", "--pcm", "s16le:16000:1"],
                input: wave
            )
            #expect(outcome.status == 3)
            // The words of the error, and the number of storeDamaged.
            let line = outcome.errors.split(separator: "\n").first { $0.contains("(0x0503)") }
            #expect((line?.count ?? 0) > 30, "\(outcome.errors)")
        }
    }
}
