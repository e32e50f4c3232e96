import Earshot
import Foundation
import TestSupport
import Testing

@testable import CommandKit

@Suite("Folders that catalogs are exported to")
struct ExportedFolderTests {
    private let earshot = Workshop.earshot

    /// A catalog whose names and items need care.
    private func catalog() throws -> Catalog {
        var catalog = Catalog(
            queryLimits: QueryLimits(minimum: MediaTime(seconds: 2), maximum: MediaTime(seconds: 30))
        )
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)
        let items: [[[MediaItemKey: PropertyValue]]] = [
            [
                [
                    .title: "温かいインク 日本語", .artist: "1984", .genres: ["Rock", "フォーク"], .explicitContent: true,
                    .creationDate: .date(date), .timeRanges: [[0.0, 24.0], [30.5, 40.0]],
                    .frequencySkewRanges: [[-0.05, 0.05]], "level": 3, "gain": 5.0, "when": .date(date),
                    "text": "2024-05-01T12:00:00Z", "cover": .data(Data([0, 1, 255])), "id": "not the name",
                    "file": "not the file", "ISRC": "own key", "nested": ["a": [1.0, 2, "x", ["$exact": 1.0]]],
                ],
                [.title: "Second item"], ["empty": []],
            ],
            [], [["note": "line\nbreak \"quoted\" \u{0}"]],
        ]
        let names = ["音楽/温かい インク.flac", "a name/with \"quotes\" and, commas", String(repeating: "長い名前", count: 40)]
        for (index, name) in names.enumerated() {
            var signature = try SyntheticMusic(seed: UInt64(40 + index), duration: 30).signature()
            if index == 1 { signature = signature.slice(from: .zero, duration: MediaTime(seconds: 12)).signature }
            try catalog.add(
                signature,
                representing: items[index].map { try MediaItem(properties: $0) },
                id: ReferenceID(name)
            )
        }
        // With a timeline, as `earshot timed import` writes it.
        let timeline = try Timeline([TimedEntry(id: "a", title: "サビ", start: MediaTime(seconds: 5))])
        try catalog.add(
            try SyntheticMusic(seed: 50, duration: 20).signature(),
            representing: [try MediaItem(properties: [.title: "Timed", .timeline: timeline.propertyValue])],
            id: "timed"
        )
        return catalog
    }

    private func run(_ arguments: [String], _ status: Int32 = 0) async throws -> Tool.Outcome {
        let outcome = try await earshot.run(["catalog"] + arguments)
        #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        return outcome
    }

    @Test("created from, added and imported again, a folder gives the same catalog")
    func roundTrip() async throws {
        try await withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            let original = folder.appendingPathComponent("original.earcat")
            try catalog().write(to: original)
            let (exported, bytes) = (path("exported"), try Data(contentsOf: original))
            _ = try await run(["export", original.path, "-o", exported])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2, "nothing is left over")

            _ = try await run(["create", exported, "-o", path("created.earcat")])
            _ = try await run(["import", exported, path("imported.earcat")])
            for name in ["created.earcat", "imported.earcat"] {
                #expect(try Data(contentsOf: folder.appendingPathComponent(name)) == bytes, "\(name)")
            }
            let list = try await run(["list", original.path, "--jsonl"]).output
            for store in ["created.earstore", "imported.earstore"] {
                _ = try await run(
                    [String(store.prefix(6)), exported] + (store.first == "c" ? ["-o"] : []) + [path(store)]
                )
                #expect(try await run(["list", path(store), "--jsonl"]).output == list)
                _ = try await run(["export", path(store), "-o", path(store + ".earcat")])
                #expect(try Data(contentsOf: folder.appendingPathComponent(store + ".earcat")) == bytes)
            }
            // Added to a catalog with something else in it; what is there already is left out by an import.
            let other = try await Workshop.shared().catalog
            try FileManager.default.copyItem(atPath: other.path, toPath: path("more.earcat"))
            _ = try await run(["add", path("more.earcat"), exported])
            let more = try Catalog(contentsOf: folder.appendingPathComponent("more.earcat"))
            #expect(more.count == 6)
            try catalog().forEachReference { reference in
                let added = try #require(try more.reference(reference.id))
                #expect(added.signature.data == reference.signature.data)
                #expect(added.items == reference.items)
            }
            let imported = try await run(["import", exported, path("more.earcat"), "--json"])
            #expect(try Document(imported.output)["skipped"] as? Int == 4)
            #expect(try Document(imported.output)["added"] as? Int == 0)
            _ = try await run(["add", path("more.earcat"), exported, "--id", "x"], 2)
        }
    }

    @Test("updates a catalog from an exported folder")
    func update() async throws {
        try await withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            let original = folder.appendingPathComponent("original.earcat")
            try catalog().write(to: original)
            _ = try await run(["export", original.path, "-o", path("exported")])
            let other = try await Workshop.shared().catalog
            try FileManager.default.copyItem(atPath: other.path, toPath: path("more.earcat"))
            let first = try await run(["update", path("exported"), path("more.earcat"), "--json"])
            #expect(try Document(first.output)["added"] as? Int == 4)
            #expect(try Document(first.output)["audioSeconds"] as? Double == 0)
            let again = try await run(["update", path("exported"), path("more.earcat"), "--remove-missing"])
            #expect(again.output.contains("0 added, 4 unchanged); in "), "\(again.output)")

            // Other media items in the folder replace those of the catalog.
            let items = folder.appendingPathComponent("exported/items.jsonl")
            let text = try String(contentsOf: items, encoding: .utf8)
            try Data(text.replacingOccurrences(of: "\"Timed\"", with: "\"Retimed\"").utf8).write(to: items)
            let changed = try await run(["update", path("exported"), path("more.earcat"), "--json"])
            #expect(try Document(changed.output)["replaced"] as? Int == 1)
            let more = try Catalog(contentsOf: folder.appendingPathComponent("more.earcat"))
            #expect(try more.reference("timed")?.items.first?.title == "Retimed")
            #expect(more.count == 6)

            // Of two folders with one name, neither silently replaces the other.
            try FileManager.default.copyItem(atPath: path("exported"), toPath: path("copy"))
            let twice = try await run(["create", path("exported"), path("copy"), "-o", path("two.earcat"), "--json"])
            #expect(try Document(twice.output)["added"] as? Int == 4)
            #expect(try Document(twice.output)["skipped", 3, "code"] as? String == "referenceExists")
        }
    }

    @Test("an export is replaced when that is said, and a folder with other files never")
    func replacing() async throws {
        try await withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            let original = folder.appendingPathComponent("original.earcat")
            try catalog().write(to: original)
            let workshop = try await Workshop.shared()
            let out = folder.appendingPathComponent("out")
            _ = try await run(["export", workshop.catalog.path, "-o", out.path])
            let refused = try await run(["export", original.path, "-o", out.path], 4)
            #expect(refused.errors.contains("--replace"))
            _ = try await run(["export", original.path, "-o", out.path, "--replace"])
            #expect(try ExportedFolder(out).entries.map(\.id) == catalog().referenceIDs)
            #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).count == 6)

            let note = out.appendingPathComponent("notes.txt")
            try Data("mine".utf8).write(to: note)
            let other = try await run(["export", workshop.catalog.path, "-o", out.path, "--replace"], 4)
            #expect(other.errors.contains("notes.txt"), "\(other.errors)")
            #expect(try ExportedFolder(out).entries.count == 4)

            let file = path("out.earcat")
            _ = try await run(["export", workshop.catalog.path, "-o", file])
            _ = try await run(["export", original.path, "-o", file], 4)
            _ = try await run(["export", original.path, "-o", file, "--replace"])
            #expect(FileManager.default.contents(atPath: file) == (try Data(contentsOf: original)))
            // A folder that is there and empty stays the same one.
            let empty = folder.appendingPathComponent("empty")
            try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
            let number = try FileManager.default.attributesOfItem(atPath: empty.path)[.systemFileNumber] as? Int
            _ = try await run(["export", original.path, "-o", empty.path])
            #expect(
                try FileManager.default.attributesOfItem(atPath: empty.path)[.systemFileNumber] as? Int == number
            )
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
            #expect(left.isEmpty)
        }
    }

    @Test("what is wrong with a folder is said with file and line")
    func damage() async throws {
        try await withTemporaryFolder { folder in
            let original = folder.appendingPathComponent("original.earcat")
            try catalog().write(to: original)
            let exported = folder.appendingPathComponent("exported")
            _ = try await run(["export", original.path, "-o", exported.path])
            let items = exported.appendingPathComponent("items.jsonl")
            let text = try String(contentsOf: items, encoding: .utf8)
            let target = folder.appendingPathComponent("c.earcat").path
            for (line, told) in [
                ("nothing", "line 5"), (#"{"file":"../x.earsig","reference":{"id":"x"}}"#, "../x.earsig"),
                (#"{"file":"x.earsig","reference":{"id":"x","items":[{"timeRanges":"late"}]}}"#, "timeRanges"),
                (#"{"file":"x.earsig","reference":{"items":[]}}"#, "line 5"),
            ] {
                try Data((text + line + "\n").utf8).write(to: items)
                for arguments in [["create", exported.path, "-o", target], ["import", exported.path, target]] {
                    let outcome = try await run(arguments, 1)
                    #expect(outcome.errors.contains(told), "\(outcome.errors)")
                    #expect(outcome.errors.split(separator: "\n").count == 1)
                    #expect(!FileManager.default.fileExists(atPath: target))
                }
            }
            try Data(text.utf8).write(to: items)
            let signature = try #require(try ExportedFolder(exported).entries.first?.file)
            try Data("damaged".utf8).write(to: signature)
            let refused = try await run(["import", exported.path, target], 1)
            #expect(refused.errors.contains(signature.lastPathComponent), "\(refused.errors)")
            let created = try await run(["create", exported.path, "-o", target, "--json"])
            #expect(try Document(created.output)["references"] as? Int == 3)
            #expect(try Document(created.output)["skipped"] != nil)
        }
    }

    @Test("a folder of music that has a file of such a name is music")
    func music() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let music = folder.appendingPathComponent("music")
            try FileManager.default.copyItem(at: workshop.music, to: music)
            try Data("{\"title\": 1}\n".utf8).write(to: music.appendingPathComponent("items.jsonl"))
            let made = try await run([
                "create", music.path, "-o", folder.appendingPathComponent("c.earcat").path, "--json",
            ])
            #expect(try Document(made.output)["references"] as? Int == 2)
        }
    }
}
