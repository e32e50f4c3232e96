import Earshot
import Foundation
import TestSupport
import Testing

@Suite("earshot history")
struct HistoryCommandTests {
    /// A history of its own, and a signature of a clip that is known.
    private struct Desk {
        let shop: Workshop
        let folder: URL
        var history: URL { folder.appendingPathComponent("new folder/history.sqlite") }
        var signature: String { folder.appendingPathComponent("clip.earsig").path }

        func run(_ arguments: [String], input: Data? = nil) async throws -> Tool.Outcome {
            try await Workshop.earshot.run(arguments, input: input, environment: ["EARSHOT_HISTORY": history.path])
        }

        func add() async throws -> Tool.Outcome {
            try await run(["identify", signature, "--catalog", shop.catalog.path, "--history"])
        }

        func entries() async throws -> [Document] {
            let outcome = try await run(["history", "--json", "--limit", "1000"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let list = try #require(try Document(outcome.output)["entries"] as? [Any])
            return try list.map {
                try Document(String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self))
            }
        }
    }

    private func withDesk(_ body: (Desk) async throws -> Void) async throws {
        let shop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let desk = Desk(shop: shop, folder: folder)
            let outcome = try await desk.run(["signature", shop.clip.path, "-o", desk.signature])
            #expect(outcome.status == 0, "\(outcome.errors)")
            try await body(desk)
        }
    }

    @Test(
        "Signatures and samples add entries when that is asked for, and nothing else does",
        .requirements("R-MC-226", "R-MC-228")
    )
    func operations() async throws {
        try await withDesk { desk in
            let catalog = ["--catalog", desk.shop.catalog.path]
            let file = desk.shop.clip.path
            let samples = try Data(contentsOf: desk.shop.clip)
            let others = [
                ["identify", file] + catalog, ["identify", desk.signature] + catalog, ["tracklist", file] + catalog,
                ["listen", "--file", file, "--fast"] + catalog, ["catalog", "list", desk.shop.catalog.path],
            ]
            for arguments in others { #expect(try await desk.run(arguments).status == 0) }
            #expect(!FileManager.default.fileExists(atPath: desk.history.path))
            for arguments in [["identify", file, "--history"], ["listen", "--file", file, "--history"]] {
                let outcome = try await desk.run(arguments + catalog)
                #expect(outcome.status == 2 && outcome.errors.contains("history"))
            }
            #expect(try await desk.add().status == 0)
            let pcm = ["listen", "--pcm", "s16le:16000:1", "--history"] + catalog
            #expect(try await desk.run(pcm, input: samples.dropFirst(44)).status == 0)
            #expect(try await desk.run(["identify", "-", "--history"] + catalog, input: samples).status == 0)
            let unknown = try await desk.run(
                ["identify", "-", "--history"] + catalog,
                input: Data(contentsOf: desk.shop.foreign)
            )
            #expect(unknown.status == 3)
            for arguments in others { #expect(try await desk.run(arguments).status == 0) }
            let entries = try await desk.entries()
            #expect(entries.compactMap { $0["operation"] as? String } == ["streamPCM", "streamPCM", "fingerprint"])
            #expect(entries.compactMap { $0["id"] as? Int } == [3, 2, 1])
            #expect(entries.allSatisfy { $0["place"] == nil })
            for entry in entries {
                #expect(entry["match", "placement", "reference"] as? String == Workshop.clipName)
            }
            // 12 s into the track the clip begins.
            let position = try #require(entries[2]["match", "songPosition"] as? Int)
            #expect(abs(position - 12_000) < 100)
            let heard = try #require(entries[1]["heard"] as? Double)
            #expect(heard > 0)
        }
    }

    @Test("Programs that add at the same time give each entry its own number", .requirements("R-MC-229", "R-MC-230"))
    func processes() async throws {
        try await withDesk { desk in
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let outcome = try await desk.add()
                        #expect(outcome.status == 0, "\(outcome.errors)")
                    }
                }
                try await group.waitForAll()
            }
            let entries = try await desk.entries()
            #expect(entries.compactMap { $0["id"] as? Int } == [4, 3, 2, 1])
        }
    }

    @Test("Entries are listed by pages, shown, exported, removed")
    func commands() async throws {
        try await withDesk { desk in
            let empty = try await desk.run(["history"])
            #expect(empty.status == 0 && empty.output == "The history is empty.\n")
            #expect(!FileManager.default.fileExists(atPath: desk.history.path))
            for _ in 0..<3 { #expect(try await desk.add().status == 0) }
            let page = try await desk.run(["history", "list", "--limit", "1", "--offset", "1"])
            #expect(page.output.hasPrefix("2  ") && page.output.split(separator: "\n").count == 1)
            #expect(page.errors == "2 of 3: --offset 2 shows the next.\n")
            let shown = try await desk.run(["history", "show", "2"])
            #expect(shown.output.contains("signature") && shown.output.contains(Workshop.clipName))
            #expect(try await desk.run(["history", "show", "9"]).status == 3)

            let file = desk.folder.appendingPathComponent("out").path
            for format in ["listenbrainz", "lastfm", "scrobbler-log", "csv", "json"] {
                let export = ["history", "export", "--format", format, "-o", file]
                let outcome = try await desk.run(export + ["--replace"])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try await desk.run(export).status == 4)
            }
            let table = try await desk.run(["history", "export", "--format", "csv", "-o", "-", "--after", "1"])
            #expect(table.output.split(whereSeparator: \.isNewline).count == 3)

            #expect(try await desk.run(["history", "remove", "3"]).status == 0)
            #expect(try await desk.run(["history", "remove", "3"]).status == 3)
            #expect(try await desk.run(["history", "clear"]).status == 2)
            #expect(try await desk.entries().count == 2)
            #expect(try await desk.run(["history", "clear", "--yes"]).output == "Removed 2 entries.\n")
            #expect(try await desk.entries().isEmpty)
        }
    }
}
