import Earshot
import Foundation
import TestSupport
import Testing

@Suite("earshot catalog, with a store")
struct StoreCommandTests {
    private let earshot = Workshop.earshot

    /// A store with the references of the workshop's catalog.
    private func store(_ folder: URL) async throws -> String {
        let store = folder.appendingPathComponent("s.earstore").path
        let workshop = try await Workshop.shared()
        let outcome = try await earshot.run(["catalog", "import", workshop.catalog.path, store])
        #expect(outcome.status == 0, "\(outcome.errors)")
        return store
    }

    @Test("a store is made from folders, searched, brought up to date, and written as the same file")
    func create() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let store = folder.appendingPathComponent("music.earstore").path
            let made = try await earshot.run(["catalog", "create", workshop.music.path, "-o", store, "--json"])
            #expect(made.status == 0, "\(made.errors)")
            #expect(try Document(made.output)["references"] as? Int == 2)
            #expect(!FileManager.default.fileExists(atPath: store + ".partial"))
            let found = try await earshot.run(["identify", workshop.clip.path, "-c", store, "--json"])
            #expect(try Document(found.output)["clips", 0, "matches", 0, "id"] as? String == Workshop.clipName)
            let again = try await earshot.run(["catalog", "create", workshop.music.path, "-o", store])
            #expect(again.status == 4)
            let same = try await earshot.run(["catalog", "update", workshop.music.path, store, "--json"])
            #expect(try Document(same.output)["unchanged"] as? Int == 2)
            let file = folder.appendingPathComponent("out.earcat")
            let written = try await earshot.run(["catalog", "export", store, "-o", file.path])
            #expect(written.status == 0, "\(written.errors)")
            #expect(try Data(contentsOf: file) == Data(contentsOf: workshop.catalog))
        }
    }

    @Test("creation that was interrupted after a commit goes on behind it")
    func resumes() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let store = try await store(folder)
            _ = try await earshot.run(["catalog", "remove", store, Workshop.clipName])
            let partial = URL(fileURLWithPath: store + ".partial")
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
            let made = try await earshot.run(["catalog", "create", workshop.music.path, "-o", store, "--json"])
            #expect(made.status == 0, "\(made.errors)")
            #expect(try Document(made.output)["resumed"] as? Int == 1)
            #expect(try Document(made.output)["references"] as? Int == 2)
            #expect(!FileManager.default.fileExists(atPath: partial.path))
        }
    }

    @Test("every commit is acknowledged; add, remove, compact, verify and import")
    func life() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let store = try await store(folder)
            let signature = folder.appendingPathComponent("a.earsig")
            _ = try await earshot.run(["signature", workshop.foreign.path, "-o", signature.path])
            var names = [signature.path]
            for name in ["b", "c"] {
                let copy = folder.appendingPathComponent("\(name).earsig")
                try FileManager.default.copyItem(at: signature, to: copy)
                names.append(copy.path)
            }
            let added = try await earshot.run(["catalog", "add", store] + names + ["--batch", "2", "--jsonl"])
            let lines = try added.output.split(separator: "\n").map { try Document(String($0)) }
            #expect(lines.map { $0["added"] as? [String] } == [["a.earsig", "b.earsig"], ["c.earsig"]])
            #expect(lines.last?["references"] as? Int == 5)
            #expect(lines.first?["duplicates", 0, "relation"] as? String == "identical")
            let removed = try await earshot.run(["catalog", "remove", store, "a.earsig", "c.earsig", "--jsonl"])
            #expect(try Document(removed.output)["removed"] as? [String] == ["a.earsig", "c.earsig"])
            let missing = try await earshot.run(["catalog", "remove", store, "b.earsig", "c.earsig"])
            #expect(missing.status == 1)
            let compacted = try await earshot.run(["catalog", "compact", store, "--json"])
            #expect(try Document(compacted.output)["files"] as? Int == 1)
            let verified = try await earshot.run(["catalog", "verify", store])
            #expect(verified.output.contains("3 references, intact"))
            let shown = try await earshot.run(["catalog", "show", store, "b.earsig"])
            #expect(shown.status == 0)
            let back = folder.appendingPathComponent("back.earcat").path
            let imported = try await earshot.run(["catalog", "import", store, workshop.catalog.path, back, "--json"])
            #expect(try Document(imported.output)["references"] as? Int == 3)
            #expect(try Document(imported.output)["skipped"] as? Int == 2)
            let joined = folder.appendingPathComponent("joined.earstore").path
            let merged = try await earshot.run(["catalog", "merge", back, store, "-o", joined])
            #expect(merged.output.contains("3 references"), "\(merged.errors)")
            try FileManager.default.removeItem(atPath: joined + "/manifest")
            let broken = try await earshot.run(["identify", workshop.clip.path, "-c", joined])
            #expect(broken.status == 1)
            #expect(broken.errors.contains("manifest is missing"))
        }
    }

    @Test("the same recording twice is told, and treated as was asked", arguments: ["earcat", "earstore"])
    func duplicates(suffix: String) async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("m")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            let audio = try await Recordings.audio(
                workshop.folder.appendingPathComponent(Workshop.clipName),
                seconds: 0..<12
            )
            try Recordings.wave(audio).write(to: music.appendingPathComponent("one.wav"))
            // As another encoder would leave it.
            try Recordings.wave(Recordings.damaged(audio, speed: 1, noise: 0.003, seed: 1))
                .write(to: music.appendingPathComponent("two.wav"))
            let catalog = folder.appendingPathComponent("c.\(suffix)").path
            let made = try await earshot.run(["catalog", "create", music.path, "-o", catalog, "--json"])
            let kept = try Document(made.output)
            #expect(kept["references"] as? Int == 2)
            #expect(kept["duplicates", 0, "relation"] as? String == "sameRecording")
            #expect(kept["duplicates", 0, "reference"] as? String == "m/one.wav")
            let signature = folder.appendingPathComponent("three.earsig").path
            _ = try await earshot.run(["signature", music.appendingPathComponent("one.wav").path, "-o", signature])
            func add(_ policy: String) async throws -> Tool.Outcome {
                try await earshot.run(["catalog", "add", catalog, signature, "--duplicates", policy, "--jsonl"])
            }
            let refused = try await add("fail")
            #expect(refused.status == 1)
            #expect(refused.errors.contains("same recording"))
            let skipped = try Document(try await add("skip").output)
            #expect(skipped["skipped"] as? [String] == ["three.earsig"])
            #expect(skipped["references"] as? Int == 2)
            let replaced = try Document(try await add("replace").output)
            #expect(replaced["replaced"] as? [String] == ["m/one.wav"])
            #expect(replaced["references"] as? Int == 2)
            let again = try await earshot.run([
                "catalog", "add", catalog, signature, "--id", "four", "--duplicates", "ignore", "--jsonl",
            ])
            #expect(try Document(again.output)["duplicates", 0] == nil)
        }
    }
}
