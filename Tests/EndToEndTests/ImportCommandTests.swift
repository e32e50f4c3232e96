import EarshotMusic
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("earshot import table, folder, lyrics")
struct ImportCommandTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot 取込 \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    private func run(_ arguments: [String], _ folder: URL, input: String? = nil) async throws -> Tool.Outcome {
        let database = folder.appendingPathComponent("music.sqlite").path
        return try await Workshop.earshot.run(
            arguments + ["--database", database],
            input: input.map { Data($0.utf8) }
        )
    }

    @Test("A table is imported, searched and gone on with; what cannot be used is listed")
    func table() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = folder.appendingPathComponent("tracks.csv")
        let rows = "Title,Artist,Album,Track_Number,duration,genre\nLantern,The Tin Foxes,Morning Rail,1,1:01.5,Jazz\n"
        try Data((rows + "Copper Wire,The Tin Foxes,Morning Rail,zero,,\nRust,Nobody,,,,Zzgenre\n").utf8).write(
            to: table
        )
        let rejects = folder.appendingPathComponent("no.jsonl")
        let outcome = try await run(["import", "table", table.path, "--rejects", rejects.path], folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("tracks.csv: 4 lines, 5 entries, 1 row passed over"))
        #expect(outcome.errors.contains("\"Zzgenre\" (1)"))
        #expect(try String(contentsOf: rejects, encoding: .utf8).contains("\"line\":3"))
        let found = try await run(["search", "lantern", "--json"], folder)
        #expect(found.output.contains("\"album\" : \"Morning Rail\"") && found.output.contains("\"seconds\" : 61.5"))
        let again = try await run(["import", "table", table.path, "--json"], folder)
        #expect(again.output.contains("\"earlier\" : 4"))
        let restarted = try await run(["import", "table", table.path, "--json", "--restart"], folder)
        #expect(restarted.output.contains("\"earlier\" : 0") && restarted.output.contains("\"rejected\" : 1"))
        #expect(try await run(["search", "--artist", "foxes", "--track", "lantern", "--jsonl"], folder).status != 1)
    }

    @Test("Standard input takes JSON lines; a column that is not known is named with the nearest")
    func columns() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let line = #"{"title":"Lantern","artist":"The Tin Foxes","shelf":3}"#
        let refused = try await run(["import", "table", "-"], folder, input: line)
        #expect(refused.status == 1 && refused.errors.contains("\"shelf\" is not known; the nearest is"))
        let taken = try await run(["import", "table", "-", "--ignore-unknown"], folder, input: line)
        #expect(taken.status == 0 && taken.output.contains("-: 1 line, 2 entries"), "\(taken.errors)")
        let unusable = try await run(["import", "table", "-"], folder, input: "title,artist\n,\n,B\n")
        #expect(unusable.status == 1 && unusable.errors.contains("Line 2: \"title\" is missing"), "\(unusable.errors)")
        #expect(try await run(["import", "table", "-"], folder, input: "").errors.contains("is empty"))
        #expect(try await run(["import", "table"], folder).status == 2)
    }

    /// Audio with tags, made of the tests' own fixture: an Ogg file with the tags of `tagged.ogg`.
    private var fixtures: URL {
        packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
    }

    @Test("Tags and pictures of a folder are imported once; a change beside the files is seen; lyrics find their track")
    func folderAndLyrics() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let music = folder.appendingPathComponent("Music/Disc 1")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        for name in ["tagged.mp3", "tagged.ogg", "wav16.wav"] {
            try FileManager.default.copyItem(
                at: fixtures.appendingPathComponent(name),
                to: music.appendingPathComponent(name)
            )
        }
        try Data("no music".utf8).write(to: music.appendingPathComponent("broken.mp3"))
        let rejects = folder.appendingPathComponent("no.jsonl")
        let top = folder.appendingPathComponent("Music").path
        let first = try await run(["import", "folder", top, "--json", "--rejects", rejects.path], folder)
        #expect(first.status == 0, "\(first.errors)")
        let document = try Document(first.output)
        #expect(document["imports", 0, "files"] as? Int == 4)
        #expect(document["imports", 0, "rejected"] as? Int == 2, "\(first.output)")
        #expect(try String(contentsOf: rejects, encoding: .utf8).contains("has no tag that names its title"))
        let second = try Document(try await run(["import", "folder", top, "--json"], folder).output)
        #expect(second["imports", 0, "unchanged"] as? Int == 2)
        #expect(second["imports", 0, "changes"] as? Int == 0)
        // A picture beside the files may be the cover of each.
        let icon = packageFolder.appendingPathComponent("Docs/images/reliability.png")
        try FileManager.default.copyItem(at: icon, to: music.appendingPathComponent("Cover.png"))
        let third = try Document(try await run(["import", "folder", top, "--json"], folder).output)
        #expect(third["imports", 0, "unchanged"] as? Int == 0)
        // Another one is the back of the album, behind the cover.
        try FileManager.default.copyItem(at: icon, to: music.appendingPathComponent("back.png"))
        let fourth = try Document(try await run(["import", "folder", top, "--json"], folder).output)
        #expect(fourth["imports", 0, "unchanged"] as? Int == 0)
        let store = try SQLiteMusicStore(url: folder.appendingPathComponent("music.sqlite"))
        let hit = try #require(try await store.search(MusicQuery(album: "テストの歌")).first)
        guard case .album(let id) = hit.entity, let album = try await store.album(id) else {
            Issue.record("\(hit) is no album")
            return
        }
        var kinds: [Picture.Kind] = []
        for id in album.pictures {
            if let picture = try await store.picture(id)?.picture { kinds.append(picture.kind) }
        }
        #expect(kinds.first == .cover && kinds.last == .back && kinds.filter { $0 == .back }.count == 1)

        try Data("[00:01.00]Carry the lantern over the hill".utf8).write(to: music.appendingPathComponent("tagged.lrc"))
        try Data("A river of copper wire".utf8).write(to: music.appendingPathComponent("Nobody - Unheard.txt"))
        try Data("Read me".utf8).write(to: music.appendingPathComponent("README.txt"))
        let lyrics = try Document(try await run(["import", "lyrics", top, "--json"], folder).output)
        #expect(lyrics["imports", 0, "matched"] as? Int == 1)
        #expect(lyrics["imports", 0, "unmatched"] as? Int == 1)
        #expect(lyrics["imports", 0, "rejected"] as? Int == 1)
        let found = try await run(["lyrics", "lantern over the hill", "--json"], folder)
        #expect(found.output.contains("\"kind\" : \"track\""), "\(found.output)")
        let loose = try await run(["lyrics", "river of copper wire", "--json"], folder)
        #expect(loose.output.contains("\"artist\" : \"Nobody\"") && loose.output.contains("\"title\" : \"Unheard\""))
    }

    @Test("Folders that are not there, or hold nothing, are refused before a database is made")
    func refused() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for arguments in [["folder", "/nowhere/x"], ["lyrics", folder.path], ["folder", folder.path]] {
            let outcome = try await run(["import"] + arguments, folder)
            #expect(outcome.status == 1 && outcome.errors.contains("There is no"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("music.sqlite").path))
    }
}
