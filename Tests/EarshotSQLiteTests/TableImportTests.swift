import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import Synchronization
import Testing

@Suite("Tables and lyrics into SQLite")
struct TableImportTests {
    private func file(_ text: String) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString).csv")
        try Data(text.utf8).write(to: url)
        return url
    }

    private func importing(_ text: String, into store: SQLiteMusicStore) async throws -> [Int] {
        let url = try file(text)
        defer { try? FileManager.default.removeItem(at: url) }
        let rejects = Mutex<[Int]>([])
        try await MusicImport(into: store, batchSize: 2).runTable(
            url.path,
            rejected: { reject in rejects.withLock { $0.append(reject.line) } }
        )
        return rejects.withLock { $0 }
    }

    @Test("Rows with ends of lines in them, a mark that is never closed, a last line without its end")
    func quoted() async throws {
        let store = try SQLiteMusicStore.inMemory()
        let rejects = try await importing(
            """
            title,artist,album_review,album
            One,A,"First.

            Second, ""so"".",X
            5" Two,A,,X
            "Three,A,,X
            Three" again,A,,X
            Four,A,"ends
            here",X
            """,
            into: store
        )
        #expect(rejects == [6])
        #expect(try await store.counts().tracks == 3)
        guard case .album(let id)? = try await store.search(MusicQuery(album: "X")).first?.entity else {
            Issue.record("no album")
            return
        }
        #expect(try await store.album(id)?.review?.byLanguage == ["und": ["ends\nhere"]])
        #expect(try await store.tracks(of: id).map(\.title.text).sorted() == ["5\" Two", "Four", "One"])
    }

    @Test("A mark that is left open costs the rows up to the next mark, or its own row where there is none")
    func openQuote() async throws {
        let store = try SQLiteMusicStore.inMemory()
        let rejects = try await importing("title,artist\n\"One,A\nTwo,A\nThree,A\n\"Four,A", into: store)
        // Up to the next mark everything could belong to the first.
        #expect(rejects == [2])
        let later = try await importing("title,artist\nOne,A\n\"Two,A\nThree,A\nFour,A\n", into: store)
        #expect(later == [3])
        #expect(try await store.search(MusicQuery(track: "Four")).count == 1)
    }

    @Test("A row takes nothing away from its artist and album; a repeated import replaces")
    func filling() async throws {
        let store = try SQLiteMusicStore.inMemory()
        let rows = """
            title,artist,album,disc,track_number,origin,artist_biography,date,album_review,artist_alternates,track_count
            One,A,X,1,1,JP,Born.,1999,Good.,AA,2
            Two,A,X,1,2,,,,,,
            Three,A,X,2,1,,,,,AAA,1
            Four,B,X,1,3,,,,,,

            """
        for _ in 0..<2 {
            #expect(try await importing(rows, into: store).isEmpty)
            #expect(try await store.counts().tracks == 4)
            #expect(try await store.counts().albums == 2)
            #expect(try await store.counts().artists == 2)
        }
        let found = try await store.search(MusicQuery(artist: "A", track: "Two"))
        guard case .track(let id)? = found.first?.entity, let track = try await store.track(id),
            let place = track.place, let album = try await store.album(place.album)
        else {
            Issue.record("no track on an album")
            return
        }
        #expect(track.credits.isEmpty)
        #expect(album.date == PartialDate("1999") && album.review?.byLanguage["und"] == ["Good."])
        #expect(album.media == [.init(position: 1, trackCount: 2), .init(position: 2, trackCount: 1)])
        let artistID = try #require(album.credits.first?.artist)
        let artist = try #require(try await store.artist(artistID))
        #expect(artist.origin == "JPN" && artist.biography?.byLanguage["und"] == ["Born."])
        #expect(artist.name.alternates == ["AA", "AAA"])
    }

    @Test("An album of an id given has the artist of its first row, and tracks of others keep theirs")
    func givenAlbum() async throws {
        let store = try SQLiteMusicStore.inMemory()
        _ = try await importing(
            "title,artist,album,album_id\nOne,A,X,al\nTwo,B,X,al\nThree,B,X,al\nFour,A,X,al\n",
            into: store
        )
        #expect(try await store.album("al")?.credits.displayName == "A")
        let tracks = try await store.tracks(of: "al")
        let names = Dictionary(uniqueKeysWithValues: tracks.map { ($0.title.text, $0.credits.displayName) })
        #expect(names == ["One": "", "Two": "B", "Three": "B", "Four": ""])
    }

    @Test("Names that differ in case only keep their first form; another name under an id replaces it")
    func names() async throws {
        let store = try SQLiteMusicStore.inMemory()
        _ = try await importing("title,artist,artist_id\nOne,The Foxes,a\nTwo,the  FOXES,a\n", into: store)
        #expect(try await store.artist("a")?.name.text == "The Foxes")
        _ = try await importing("title,artist,artist_id\nOne,Tin Foxes,a\n", into: store)
        #expect(try await store.artist("a")?.name.text == "Tin Foxes")
    }

    @Test("What was merged stays merged")
    func merged() async throws {
        let store = try SQLiteMusicStore.inMemory()
        let rows = "title,artist,artist_id,album,album_id\nOne,A,a,X,x\n"
        _ = try await importing(rows, into: store)
        let (artist, album) = (Artist(id: "b", name: Name("A")), Album(id: "y", title: Name("X")))
        try await store.apply([
            .artist(artist), .album(album), .mergeArtist("a", into: "b"), .mergeAlbum("x", into: "y"),
        ])
        _ = try await importing(rows, into: store)
        #expect(try await store.counts().artists == 1)
        #expect(try await store.counts().albums == 1)
        #expect(try await store.tracks(of: "y").count == 1)
    }

    @Test("An import that was ended goes on, with the header read again")
    func resuming() async throws {
        let rows = (1...20).map { "Song \($0),A,\"x\ny\"\n" }
        let url = try file("title,artist,album_review\n" + rows.joined())
        defer { try? FileManager.default.removeItem(at: url) }
        let store = try SQLiteMusicStore.inMemory()
        // What an import leaves that was ended behind seven rows of two lines.
        let bytes = 26 + rows.prefix(7).joined().utf8.count
        let size = try Data(contentsOf: url).count
        let state = #"{"lines":15,"earlier":0,"rejected":0,"changes":8,"bytes":\#(bytes),"size":\#(size)}"#
        try await store.apply([.checkpoint("t", value: state)])
        let done = try await MusicImport(into: store).runTable(url.path, name: "t")
        #expect((done.lines, done.earlier, done.rejected) == (41, 15, 0))
        #expect(try await store.counts().tracks == 13)
    }

    @Test("Lyrics find their tracks in spite of case, accents and punctuation, and only those")
    func lyrics() async throws {
        let store = try SQLiteMusicStore.inMemory()
        _ = try await importing(
            "title,artist,album,artist_jpn\nDon't Cry,Zoé,X,ゾエ\nDon't Cry,Zoé,Y,\nDon't Cry Again,Zoé,X,\nDon't Cry,Other,X,\n",
            into: store
        )
        let matching = LyricsMatching(in: store)
        #expect(try await matching.tracks(artist: "ZOE", title: "Don’t cry!").count == 2)
        #expect(try await matching.tracks(artist: "ゾエ", title: "dont cry").count == 2)
        #expect(try await matching.tracks(artist: "Zoé", title: "Cry").isEmpty)
        #expect(try await matching.tracks(artist: "", title: "...").isEmpty)
        let file = try LRCFile(Data("[la:fr]\n[by:me]\n[00:01.00]la la".utf8))
        let first = LyricsMatching.lyrics(file, artist: "Zoé", title: "Don't Cry", tracks: [])
        let second = LyricsMatching.lyrics(file, artist: "ZOÉ", title: "don't  cry", tracks: ["t"])
        #expect(first.id == second.id && first.artist == "Zoé" && second.artist == nil)
        #expect((first.language, first.attribution) == ("fra", "me"))
    }
}
