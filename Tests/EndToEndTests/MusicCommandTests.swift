import EarshotMusic
import EarshotSQLite
import Foundation
import TestSupport
import Testing

@Suite("earshot import, search, lyrics, track, album, artist")
struct MusicCommandTests {
    private static let artists = """
        {"id":"a1","name":"The Tin Foxes","type":"Group","country":"JP","life-span":{"begin":"1994"},
        "aliases":[{"name":"ティン・フォクシズ","locale":"ja","primary":true}]}
        """.replacingOccurrences(of: "\n", with: "")

    private static let releases = """
        {"id":"r1","title":"Morning Rail","date":"1999-05","artist-credit":[{"name":"The Tin Foxes","artist":{"id":"a1"}}],
        "release-group":{"id":"g","genres":[{"name":"jazz","count":2}]},"media":[{"position":1,"track-count":2,"tracks":[
        {"id":"t1","position":1,"title":"Lantern","length":61500},{"id":"t2","position":2,"title":"Copper Wire"}]}]}
        no line of a dump
        """.replacingOccurrences(of: ",\n", with: ",").replacingOccurrences(of: "[\n", with: "[")

    /// A folder with a dump, and a database made from it.
    private func imported() async throws -> (folder: URL, outcome: Tool.Outcome) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot 音楽 \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data((Self.artists + "\n").utf8).write(to: folder.appendingPathComponent("artist"))
        try Data((Self.releases + "\n").utf8).write(to: folder.appendingPathComponent("release"))
        let outcome = try await Workshop.earshot.run([
            "import", "musicbrainz", folder.appendingPathComponent("artist").path,
            folder.appendingPathComponent("release").path, "--rejects", folder.appendingPathComponent("no.jsonl").path,
            "--database", folder.appendingPathComponent("music.sqlite").path,
        ])
        return (folder, outcome)
    }

    private func ask(_ arguments: [String], _ folder: URL) async throws -> Tool.Outcome {
        let database = folder.appendingPathComponent("music.sqlite").path
        return try await Workshop.earshot.run(arguments + ["--database", database])
    }

    @Test("a dump is imported, what cannot be used is listed, and the rest is found")
    func importAndSearch() async throws {
        let (folder, outcome) = try await imported()
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("release: 2 lines, 3 entries, 1 line passed over"))
        let rejects = try String(contentsOf: folder.appendingPathComponent("no.jsonl"), encoding: .utf8)
        #expect(rejects.contains("\"line\":2") && rejects.contains("no line of a dump"))
        let found = try await ask(["search", "lantern", "tin", "--json"], folder)
        #expect(found.status == 0)
        #expect(found.output.contains("\"id\" : \"t1\"") && found.output.contains("\"album\" : \"Morning Rail\""))
        #expect(try await ask(["search", "--artist", "ティン・フォクシズ"], folder).output.contains("The Tin Foxes"))
        #expect(try await ask(["search", "cop", "--typing"], folder).output.contains("Copper Wire"))
        #expect(try await ask(["search", "zebra"], folder).status == 3)
    }

    @Test("tracks, albums and artists are shown, in a language and by a country's genres")
    func entities() async throws {
        let (folder, _) = try await imported()
        defer { try? FileManager.default.removeItem(at: folder) }
        let track = try await ask(["track", "t1"], folder).output
        #expect(track.contains("The Tin Foxes") && track.contains("1:01.5") && track.contains("Jazz"))
        let album = try await ask(["album", "r1"], folder).output
        #expect(album.contains("Morning Rail") && album.contains("2  Copper Wire"))
        let artist = try await ask(["artist", "a1", "--language", "ja"], folder).output
        #expect(artist.contains("ティン・フォクシズ") && artist.contains("日本") && artist.contains("1999-05  Morning Rail"))
        let german = try await ask(["track", "t1", "--json", "--language", "deu", "--country", "DEU"], folder).output
        #expect(german.contains("\"genres\""))
        #expect(try await ask(["album", "x"], folder).status == 3)
        #expect(try await ask(["lyrics", "anything"], folder).status == 3)
    }

    @Test("the tables of a database dump are imported from their folder, gone on with, and found")
    func tables() async throws {
        let name = "earshot mbdump \(UUID().uuidString)"
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        let dump = folder.appendingPathComponent("mbdump")
        try FileManager.default.createDirectory(at: dump, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let unfinished = try await ask(["import", "musicbrainz", dump.path], folder)
        #expect(unfinished.status == 1 && unfinished.errors.contains("There is no table artist in"))
        try MusicBrainzDump.write(to: dump)
        let outcome = try await ask(["import", "musicbrainz", dump.path, "--json"], folder)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let imports = try Document(outcome.output)
        #expect((0..<3).map { imports["imports", $0, "progress", "changes"] as? Int } == [2, 2, 3])
        #expect((0..<3).map { imports["imports", $0, "progress", "rejected"] as? Int } == [0, 0, 0])
        let found = try await ask(["search", "lantern", "tin", "--json"], folder)
        #expect(found.output.contains("cccccccc-2222-4333-8444-555555555555"), "\(found.output)\(found.errors)")
        let artist = try await ask(["artist", "11111111-2222-4333-8444-555555555555", "--language", "ja"], folder)
        #expect(artist.output.contains("ティン・フォクシズ") && artist.output.contains("1999-05"))
        let again = try await ask(["import", "musicbrainz", dump.path, "--json"], folder)
        #expect(try Document(again.output)["imports", 2, "progress", "earlier"] as? Int == 4, "\(again.output)")
    }

    @Test("covers of a local archive are kept with the releases that their names tell")
    func covers() async throws {
        try await withTemporaryFolder { folder in
            let dump = folder.appendingPathComponent("mbdump")
            try FileManager.default.createDirectory(at: dump, withIntermediateDirectories: true)
            try MusicBrainzDump.write(to: dump)
            #expect(try await ask(["import", "musicbrainz", dump.path], folder).status == 0)
            let release = "aaaaaaaa-2222-4333-8444-555555555555"
            let archive = folder.appendingPathComponent("archive/mbid-\(release)")
            try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
            let icon = packageFolder.appendingPathComponent("Docs/images/reliability.png")
            let names = [
                "mbid-\(release)-17.png", "mbid-\(release)-17_thumb250.png", "mbid-\(release)-18.png",
                "mbid-\(release)-19.png", "../\(release)-back.png", "../bbbbbbbb-1111-4333-8444-555555555555.png",
                "../somebody.png",
            ]
            for name in names {
                try FileManager.default.copyItem(at: icon, to: archive.appendingPathComponent(name).standardizedFileURL)
            }
            try Data("no picture".utf8).write(to: archive.appendingPathComponent("cover.jpg"))
            let listing = #"{"images":[{"id":17,"front":true,"back":false},{"id":"18","front":false,"back":true}]}"#
            try Data(listing.utf8).write(to: archive.appendingPathComponent("index.json"))
            let top = folder.appendingPathComponent("archive").path
            let outcome = try await ask(["import", "covers", top, "--json"], folder)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let summary = try Document(outcome.output)
            let counts = ["files", "kept", "others", "rejected"].map { summary["imports", 0, $0] as? Int }
            #expect(counts == [7, 3, 2, 2], "\(outcome.output)")
            let store = try SQLiteMusicStore(url: folder.appendingPathComponent("music.sqlite"))
            let album = try #require(try await store.album(EntityID(release)))
            var kinds: [Picture.Kind] = []
            for id in album.pictures { kinds.append(try #require(try await store.picture(id)).picture.kind) }
            #expect(kinds == [.cover, .back])
        }
    }

    @Test("an import goes on where it was; a database that is not there is not made by a search")
    func again() async throws {
        let (folder, _) = try await imported()
        defer { try? FileManager.default.removeItem(at: folder) }
        let artist = folder.appendingPathComponent("artist").path
        let again = try await ask(["import", "musicbrainz", artist, "--json"], folder)
        #expect(again.status == 0 && again.output.contains("\"lines\" : 1"))
        #expect(again.output.contains("\"earlier\" : 1"))
        let noise = folder.appendingPathComponent("noise")
        try Data((0..<100).map { _ in "no line\n" }.joined().utf8).write(to: noise)
        let unusable = try await ask(["import", "musicbrainz", noise.path, "--kind", "artist"], folder)
        #expect(unusable.status == 1 && unusable.errors.contains("No line of"))
        let missing = folder.appendingPathComponent("none.sqlite")
        let absent = ["import", "musicbrainz", folder.path + "/absent", "--kind", "artist", "--database", missing.path]
        #expect(try await Workshop.earshot.run(absent).status == 1)
        let outcome = try await Workshop.earshot.run(["search", "x", "--database", missing.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("There is no database of music at"))
        #expect(!FileManager.default.fileExists(atPath: missing.path))
        let unknown = try await ask(["import", "musicbrainz", folder.appendingPathComponent("no.jsonl").path], folder)
        #expect(unknown.status == 2)
    }
}
