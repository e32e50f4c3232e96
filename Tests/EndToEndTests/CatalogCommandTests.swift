import Earshot
import Foundation
import TestSupport
import Testing

@Suite("earshot catalog")
struct CatalogCommandTests {
    private let earshot = Workshop.earshot

    @Test(
        "folders are searched to the bottom; what cannot be read is reported and left out",
        .requirements("R-CC-106")
    )
    func create() async throws {
        let workshop = try await Workshop.shared()
        #expect(workshop.creation.status == 0, "\(workshop.creation.errors)")
        let document = try Document(workshop.creation.output)
        #expect(document["references"] as? Int == 2)
        #expect(document["skipped", 0, "code"] as? String == "assetUnreadable")
        #expect((document["skipped", 0, "file"] as? String)?.hasSuffix("broken.mp3") == true)
        #expect(!FileManager.default.fileExists(atPath: workshop.catalog.path + ".partial"))
    }

    @Test("an existing catalog is refused with status 4 and stays as it was", .requirements("R-CC-039"))
    func refusesExisting() async throws {
        let workshop = try await Workshop.shared()
        let before = try Data(contentsOf: workshop.catalog)
        let outcome = try await earshot.run(["catalog", "create", workshop.music.path, "-o", workshop.catalog.path])
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("exists already"))
        #expect(try Data(contentsOf: workshop.catalog) == before)
    }

    @Test("a catalog that services share needs a name, its place, and no search for duplicates")
    func sharedUsage() async throws {
        let bucket = ["--bucket", "http://127.0.0.1:1/nodes"]
        let database = ["--database", "postgresql://ada@127.0.0.1:1/x"]
        for (arguments, status, sentence) in [
            (["create", "/music"] + bucket, 2, "name the catalog"),
            (["create", "-o", "music"] + bucket, 2, "--list"),
            (["create", "/music", "-o", "music", "--duplicates", "skip"] + bucket, 2, "Duplicates are not looked for"),
            (["add", "music", "https://example.org/a.ogg"] + bucket, 2, "Only files"),
            (["create", "/music", "-o", "a/b"] + bucket + database, 1, "no name of a catalog"),
            (["work", "music"] + bucket, 1, "AWS_ACCESS_KEY_ID"),
            (["work", "music"] + database, 1, "EARSHOT_BUCKET"),
            (["work", "music", "--root", "music"], 2, "root"),
        ] {
            let outcome = try await earshot.run(["catalog"] + arguments)
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.contains(sentence), "\(arguments): \(outcome.errors)")
        }
    }

    @Test("killed half-way and run again, the catalog equals that of an unbroken run")
    func resumes() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let target = folder.appendingPathComponent("again.earcat")
            let arguments = ["catalog", "create", workshop.music.path, "-o", target.path, "--jobs", "1", "--json"]
            let partial = target.path + ".partial"
            // On a busy machine the command may be through before anybody looks.
            var status: Int32 = 0
            for _ in 0..<20 where status != -9 {
                try? FileManager.default.removeItem(at: target)
                status = try await earshot.run(arguments) {
                    let parts = (try? FileManager.default.contentsOfDirectory(atPath: partial)) ?? []
                    return parts.contains { $0.hasSuffix(".json") }
                }.status
            }
            #expect(status == -9)
            #expect(!FileManager.default.fileExists(atPath: target.path))
            let outcome = try await earshot.run(arguments)
            #expect(outcome.status == 0, "\(outcome.errors)")
            // More when the kill came late.
            #expect(try Document(outcome.output)["resumed"] as? Int ?? 0 >= 1)
            #expect(try Data(contentsOf: target) == Data(contentsOf: workshop.catalog))
        }
    }

    @Test("update adds, replaces and removes by what changed")
    func update() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("m")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            let long = try await Recordings.audio(workshop.clip, seconds: 0..<7)
            try Recordings.wave(long).write(to: music.appendingPathComponent("one.wav"))
            try Recordings.wave(Array(long[..<48_000])).write(to: music.appendingPathComponent("two.wav"))
            let catalog = folder.appendingPathComponent("c.earcat").path
            _ = try await earshot.run(["catalog", "create", music.path, "-o", catalog])
            try Recordings.wave(Array(long[32_000...])).write(to: music.appendingPathComponent("two.wav"))
            try Recordings.wave(Array(long[..<64_000])).write(to: music.appendingPathComponent("three.wav"))
            try FileManager.default.removeItem(at: music.appendingPathComponent("one.wav"))
            let outcome = try await earshot.run([
                "catalog", "update", music.path, catalog, "--remove-missing", "--json",
            ])
            let document = try Document(outcome.output)
            #expect(document["added"] as? Int == 1)
            #expect(document["replaced"] as? Int == 1)
            #expect(document["removed"] as? Int == 1)
            let again = try await earshot.run(["catalog", "update", music.path, catalog, "--json"])
            #expect(try Document(again.output)["unchanged"] as? Int == 2)
        }
    }

    @Test("where nothing can be taken, no catalog is made")
    func nothingToTake() async throws {
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("m")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            try Data("not music".utf8).write(to: music.appendingPathComponent("a.mp3"))
            let catalog = folder.appendingPathComponent("c.earcat").path
            let outcome = try await earshot.run(["catalog", "create", music.path, "-o", catalog])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("None of 1 file could be taken"))
            #expect(!FileManager.default.fileExists(atPath: catalog))
            #expect(!FileManager.default.fileExists(atPath: catalog + ".partial"))
        }
    }

    @Test("two sets of folders keep their references apart, and an empty folder removes nothing")
    func updateOfOtherFolders() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let audio = try await Recordings.audio(workshop.clip, seconds: 0..<6)
            for (name, part) in [("one", audio[..<32_000]), ("two", audio[32_000..<64_000])] {
                let inner = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
                try Recordings.wave(Array(part)).write(to: inner.appendingPathComponent("same.wav"))
            }
            let (one, two) = (folder.appendingPathComponent("one"), folder.appendingPathComponent("two"))
            let catalog = folder.appendingPathComponent("c.earcat").path
            _ = try await earshot.run(["catalog", "create", one.path, "-o", catalog])
            let both = try await earshot.run(["catalog", "update", one.path, two.path, catalog, "--json"])
            #expect(try Document(both.output)["unchanged"] as? Int == 1)
            #expect(try Document(both.output)["references"] as? Int == 2)
            let other = try await earshot.run(["catalog", "update", two.path, catalog, "--remove-missing", "--json"])
            #expect(try Document(other.output)["references"] as? Int == 2)
            try FileManager.default.removeItem(at: one.appendingPathComponent("same.wav"))
            let empty = try await earshot.run(["catalog", "update", one.path, catalog, "--remove-missing"])
            #expect(empty.status == 1)
            #expect(empty.errors.contains("no audio below"))
            let verified = try await earshot.run(["catalog", "verify", catalog])
            #expect(verified.output.contains("2 references"))
        }
    }

    @Test("two changes at once are both kept")
    func changesAtOnce() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let catalog = folder.appendingPathComponent("c.earcat").path
            try FileManager.default.copyItem(atPath: workshop.catalog.path, toPath: catalog)
            try await withThrowingTaskGroup(of: Int32.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        try await Workshop.earshot.run(
                            ["catalog", "add", catalog, workshop.foreign.path, "--id", "n\(number)"]
                        ).status
                    }
                }
                for try await status in group { #expect(status == 0) }
            }
            let listed = try await earshot.run(["catalog", "list", catalog, "--jsonl"])
            #expect(listed.output.split(separator: "\n").count == 6)
        }
    }

    @Test("a changed file keeps what a person has set")
    func updateKeepsProperties() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("m")
            try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
            let audio = try await Recordings.audio(workshop.clip, seconds: 0..<6)
            let song = music.appendingPathComponent("one.wav")
            try Recordings.wave(Array(audio[..<32_000])).write(to: song)
            let catalog = folder.appendingPathComponent("c.earcat").path
            _ = try await earshot.run(["catalog", "create", music.path, "-o", catalog])
            _ = try await earshot.run(["catalog", "remove", catalog, "m/one.wav"])
            _ = try await earshot.run(["catalog", "add", catalog, song.path, "--id", "m/one.wav", "--set", "episode=3"])
            let same = try await earshot.run(["catalog", "update", music.path, catalog, "--json"])
            #expect(try Document(same.output)["unchanged"] as? Int == 1)
            try Recordings.wave(Array(audio[16_000..<64_000])).write(to: song)
            let changed = try await earshot.run(["catalog", "update", music.path, catalog, "--json"])
            #expect(try Document(changed.output)["replaced"] as? Int == 1)
            let shown = try await earshot.run(["catalog", "show", catalog, "m/one.wav"])
            #expect(shown.output.contains("episode: 3"))
        }
    }

    @Test("add, list, show, remove, merge, export and verify", .requirements("R-CC-031", "R-CC-041", "R-CC-106"))
    func lifeOfACatalog() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let catalog = folder.appendingPathComponent("c.earcat").path
            try FileManager.default.copyItem(atPath: workshop.catalog.path, toPath: catalog)
            let signature = folder.appendingPathComponent("episode.earsig").path
            let made = try await earshot.run(["signature", workshop.foreign.path, "-o", signature])
            #expect(made.status == 0, "\(made.errors)")
            let added = try await earshot.run([
                "catalog", "add", catalog, signature, "--id", "episode-3", "--set", "title=Count on Me",
                "--set", "subtitle=Episode 3", "--set", "teacher=Neil", "--set", "episode=3",
            ])
            #expect(added.status == 0, "\(added.errors)")
            let found = try Document(
                try await earshot.run(["identify", workshop.foreign.path, "-c", catalog, "--json"]).output
            )
            #expect(found["clips", 0, "matches", 0, "title"] as? String == "Count on Me")
            #expect(found["clips", 0, "matches", 0, "items", 0, "subtitle"] as? String == "Episode 3")
            #expect(found["clips", 0, "matches", 0, "items", 0, "teacher"] as? String == "Neil")
            #expect(found["clips", 0, "matches", 0, "items", 0, "episode"] as? Int == 3)
            let listed = try await earshot.run(["catalog", "list", catalog, "--jsonl"])
            #expect(listed.output.split(separator: "\n").count == 3)
            let shown = try await earshot.run(["catalog", "show", catalog, "episode-3"])
            #expect(shown.output.contains("teacher: \"Neil\""))
            let info = try Document(try await earshot.run(["catalog", "info", catalog, "--json"]).output)
            #expect(info["references"] as? Int == 3 && info["referencesWithBits"] as? Int == 3)
            #expect(info["bitBytes"] as? Int ?? 0 > 0 && info["postings"] as? Int ?? 0 > 0)
            let merged = folder.appendingPathComponent("merged.earcat").path
            let merge = try await earshot.run(["catalog", "merge", catalog, workshop.catalog.path, "-o", merged])
            #expect(merge.errors.contains("0 added, 2 there already"), "\(merge.errors)")
            let verified = try await earshot.run(["catalog", "verify", merged])
            #expect(verified.output.contains("3 references, intact"))
            let export = folder.appendingPathComponent("export").path
            _ = try await earshot.run(["catalog", "export", merged, "-o", export])
            let files = try FileManager.default.contentsOfDirectory(atPath: export)
            #expect(files.filter { $0.hasSuffix(".earsig") }.count == 3)
            #expect(files.contains("items.jsonl"))
            _ = try await earshot.run(["catalog", "remove", catalog, "episode-3"])
            let gone = try await earshot.run(["identify", workshop.foreign.path, "-c", catalog])
            #expect(gone.status == 3)
            let missing = try await earshot.run(["catalog", "remove", catalog, "episode-3"])
            #expect(missing.status == 1)
            #expect(missing.errors.contains("no reference named episode-3"))
        }
    }

    @Test("a reference of version 1 is said to be found less surely in noise, and is found")
    func withoutBits() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let signature = folder.appendingPathComponent("old.earsig")
            _ = try await earshot.run(["signature", workshop.foreign.path, "-o", signature.path])
            // As an earlier version wrote it: without the bits behind the landmarks.
            var bytes = [UInt8](try Data(contentsOf: signature))
            func number(at place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
            bytes = Array(bytes[..<(36 + number(at: 28) + 3 * number(at: 32))])
            bytes[8] = 1
            let checksum = CRC32C.checksum(bytes)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> ($0 * 8)) }
            try Data(bytes).write(to: signature)
            let catalog = folder.appendingPathComponent("c.earcat").path
            try FileManager.default.copyItem(atPath: workshop.catalog.path, toPath: catalog)
            let added = try await earshot.run(["catalog", "add", catalog, signature.path, "--id", "old"])
            #expect(added.status == 0, "\(added.errors)")
            let info = try await earshot.run(["catalog", "info", catalog])
            #expect(info.output.contains("of 2 references"), "\(info.output)")
            #expect(info.errors.contains("1 reference has no bits"), "\(info.errors)")
            let found = try await earshot.run(["identify", workshop.foreign.path, "-c", catalog, "--json"])
            #expect(try Document(found.output)["clips", 0, "matches", 0, "id"] as? String == "old", "\(found.output)")
        }
    }

    @Test("a damaged catalog is named as such", .requirements("R-CC-037"))
    func damagedCatalog() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("bad.earcat")
            var bytes = try Data(contentsOf: workshop.catalog)
            // So many that they do not all stand between two sections.
            for place in bytes.count / 2..<bytes.count / 2 + 8 { bytes[place] ^= 0x10 }
            try bytes.write(to: path)
            let verified = try await earshot.run(["catalog", "verify", path.path])
            #expect(verified.status == 1)
            #expect(verified.errors.contains("is damaged"))
            try bytes.prefix(bytes.count / 3).write(to: path)
            let cut = try await earshot.run(["identify", workshop.clip.path, "-c", path.path])
            #expect(cut.status == 1)
            #expect(cut.errors.contains("cut short"))
            let nowhere = try await earshot.run(["identify", workshop.clip.path, "-c", "/nowhere.earcat"])
            #expect(nowhere.status == 1)
            #expect(nowhere.errors.contains("/nowhere.earcat"))
        }
    }
}
