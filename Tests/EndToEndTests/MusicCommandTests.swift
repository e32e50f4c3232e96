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
