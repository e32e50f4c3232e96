import EarshotCore
package import EarshotMusic
import Foundation
import Testing

/// A rule that every store of music keeps: the suite of each store runs all of them.
package struct MusicStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any MusicStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    /// Holds an empty store against the rule.
    package func check(_ store: any MusicStore) async throws { try await body(store) }

    /// All rules.
    package static let all = entities + searches + changes

    // MARK: - Music for the rules

    private static let band = {
        var artist = Artist(
            id: "ar1",
            name: Name("The Tin Foxes", translations: ["jpn": "ティン・フォクシズ"], alternates: ["Tin Foxes"])
        )
        artist.identifiers = [MusicIdentifier(.musicBrainzArtist, "f27ec8db-af05-4f36-916e-3d57f91ecf5e")].reduce(
            into: []) {
                if let identifier = $1 { $0.insert(identifier) }
            }
        return artist
    }()

    private static func album(_ id: EntityID<Album>, _ title: String, date: String? = nil) -> Album {
        var album = Album(id: id, title: Name(title), credits: [ArtistCredit("The Tin Foxes", artist: "ar1")])
        album.date = date.flatMap { PartialDate($0) }
        album.media = [Album.Medium(position: 1, format: "CD", trackCount: 2)]
        return album
    }

    private static func track(_ id: EntityID<Track>, _ title: String, on album: EntityID<Album>?, _ number: Int? = nil)
        -> Track
    {
        var track = Track(id: id, title: Name(title), credits: [ArtistCredit("The Tin Foxes", artist: "ar1")])
        track.place = album.map { Track.Place(album: $0, number: number) }
        track.duration = MediaTime(value: 1_234_567, timescale: 44_100)
        return track
    }

    private static let shelf: [MusicChange] = [
        .artist(band), .album(album("al1", "Morning Rail", date: "1999-05")),
        .album(album("al2", "Evening", date: "1994")),
        .track(track("t2", "Copper Wire", on: "al1", 2)), .track(track("t1", "Lantern", on: "al1", 1)),
        .track(track("t3", "Lantern Light", on: "al2", 1)), .track(track("t4", "Alone", on: nil)),
    ]

    private static func tracks(_ hits: [MusicHit]) -> [String] {
        hits.map { hit in
            switch hit.entity {
            case .track(let id): id.rawValue
            case .album(let id): "album " + id.rawValue
            case .artist(let id): "artist " + id.rawValue
            case .lyrics(let id): "lyrics " + id.rawValue
            }
        }
    }

    // MARK: - Rules

    private static let entities: [MusicStoreRule] = [
        .init(name: "What is not there is nothing") { (store: any MusicStore) async throws in
            #expect(try await store.artist("x") == nil)
            #expect(try await store.track("x") == nil)
            #expect(try await store.picture("x") == nil)
            #expect(try await store.tracks(of: "x").isEmpty)
            #expect(try await store.search(MusicQuery("x")).isEmpty)
            #expect(try await store.counts() == MusicCounts())
        },
        .init(name: "What was put in comes out as it was") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            #expect(try await store.artist("ar1") == band)
            #expect(try await store.album("al1") == album("al1", "Morning Rail", date: "1999-05"))
            #expect(try await store.track("t4") == track("t4", "Alone", on: nil))
            let counts = try await store.counts()
            #expect((counts.artists, counts.albums, counts.tracks) == (1, 2, 4))
        },
        .init(name: "Tracks come in their order on the album, albums in that of their dates") {
            (store: any MusicStore) async throws in
            try await store.apply(shelf)
            #expect(try await store.tracks(of: "al1").map(\.id) == ["t1", "t2"])
            #expect(try await store.albums(of: "ar1", offset: 0, limit: 10).map(\.id) == ["al2", "al1"])
            #expect(try await store.albums(of: "ar1", offset: 1, limit: 1).map(\.id) == ["al1"])
        },
        .init(name: "Identifiers lead to what carries them") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            var song = track("t1", "Lantern", on: "al1", 1)
            let code = try #require(MusicIdentifier(.isrc, "GB-AYE-06-01498"))
            song.identifiers = [code]
            try await store.apply([.track(song)])
            #expect(try await store.tracks(with: code).map(\.id) == ["t1"])
            #expect(try await store.albums(with: code).isEmpty)
            let band = try #require(band.identifiers.first)
            #expect(try await store.artists(with: band).map(\.id) == ["ar1"])
            song.identifiers = []
            try await store.apply([.track(song)])
            #expect(try await store.tracks(with: code).isEmpty)
        },
        .init(name: "Pictures and words are kept beside what they belong to") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            let picture = Picture(id: "p", kind: .cover, mimeType: "image/png", width: 600, height: 580)
            let words = Lyrics(id: "w", tracks: ["t1"], lines: [.init("Carry the lantern over the hill")])
            try await store.apply([.picture(picture, Data([1, 2, 3])), .lyrics(words)])
            let stored = try #require(try await store.picture("p"))
            #expect(stored.picture == picture && stored.bytes == Data([1, 2, 3]))
            #expect(try await store.lyrics(of: "t1") == [words])
            #expect(try await store.lyrics("w") == words)
        },
    ]

    private static let searches: [MusicStoreRule] = [
        .init(name: "Any combination of fields finds, and more fields narrow") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            let (artist, album, track) = ("tin foxes", "morning rail", "lantern")
            func found(_ query: MusicQuery) async throws -> [String] { tracks(try await store.search(query)) }
            #expect(try await found(MusicQuery(track: track)) == ["t1", "t3"])
            #expect(try await found(MusicQuery(album: album, track: track)) == ["t1"])
            #expect(try await found(MusicQuery(artist: artist, track: track)) == ["t1", "t3"])
            #expect(try await found(MusicQuery(artist: artist, album: album, track: track)) == ["t1"])
            #expect(try await found(MusicQuery(album: album)) == ["album al1"])
            #expect(try await found(MusicQuery(artist: artist, album: album)) == ["album al1"])
            #expect(try await found(MusicQuery(artist: artist)) == ["artist ar1"])
            #expect(try await found(MusicQuery("foxes copper")) == ["t2"])
        },
        .init(name: "Case, accents, punctuation and the last letters that are still being typed do not matter") {
            (store: any MusicStore) async throws in
            try await store.apply(shelf + [.track(track("t5", "Don’t Cry, Zoé", on: nil))])
            #expect(tracks(try await store.search(MusicQuery(track: "DON'T CRY ZOE"))) == ["t5"])
            #expect(tracks(try await store.search(MusicQuery("lant", isTyping: true))) == ["t1", "t3"])
        },
        .init(name: "What is called exactly so comes first, then what is asked for more") {
            (store: any MusicStore) async throws in
            var known = track("t6", "Lantern Song", on: nil)
            known.popularity = 0.9
            try await store.apply(shelf + [.track(known)])
            #expect(tracks(try await store.search(MusicQuery(track: "lantern"))) == ["t1", "t6", "t3"])
            #expect(tracks(try await store.search(MusicQuery(track: "lantern", offset: 1, limit: 1))) == ["t6"])
        },
        .init(name: "A small mistake is forgiven where nothing fits as it is written") {
            (store: any MusicStore) async throws in
            try await store.apply(shelf)
            #expect(tracks(try await store.search(MusicQuery(track: "coper wire"))) == ["t2"])
            #expect(try await store.search(MusicQuery(track: "zzzzqqq")).isEmpty)
        },
        .init(name: "An artist is found by every name, and so are the tracks") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            #expect(tracks(try await store.search(MusicQuery(artist: "ティン・フォクシズ"))) == ["artist ar1"])
            #expect(tracks(try await store.search(MusicQuery(artist: "ティン・フォクシズ", track: "alone"))) == ["t4"])
            var renamed = band
            renamed.name.alternates = ["Rust Choir"]
            try await store.apply([.artist(renamed)])
            #expect(tracks(try await store.search(MusicQuery(artist: "rust choir", track: "alone"))) == ["t4"])
        },
        .init(name: "Text that means something to a query language is text") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            for text in [
                "\"", "a\" OR \"b", "track:x", "*", "(", "NEAR(a b)", "^lantern", "-", "\u{0}", "'; DROP TABLE track",
            ] {
                _ = try await store.search(MusicQuery(text, isTyping: true))
                _ = try await store.search(LyricQuery(text))
                _ = try await store.search(LyricQuery("carry the lantern", artist: text))
            }
            #expect(try await store.counts().tracks == 4)
        },
        .init(name: "Words are found by a fragment, in order or not, and an artist narrows") {
            (store: any MusicStore) async throws in
            let other = Artist(id: "ar2", name: Name("Nobody"))
            var theirs = Track(id: "t9", title: Name("Hill"), credits: [ArtistCredit("Nobody", artist: "ar2")])
            theirs.popularity = 0.1
            let lines: [Lyrics.Line] = [.init("Carry the lantern"), .init("over the hill, over the water")]
            let loose = Lyrics(id: "w3", tracks: [], lines: [.init("A river of copper wire")])
            try await store.apply(
                shelf + [
                    .artist(other), .track(theirs), .lyrics(Lyrics(id: "w1", tracks: ["t1"], lines: lines)),
                    .lyrics(Lyrics(id: "w2", tracks: ["t9"], lines: lines)), .lyrics(loose),
                ]
            )
            #expect(Set(tracks(try await store.search(LyricQuery("lantern over the hill")))) == ["t1", "t9"])
            #expect(tracks(try await store.search(LyricQuery("hill lantern carry", artist: "nobody"))) == ["t9"])
            #expect(tracks(try await store.search(LyricQuery("river of copper wire and stone"))) == ["lyrics w3"])
            for artist in ["", " ", "\u{0}"] {
                let found = tracks(try await store.search(LyricQuery("carry the lantern", artist: artist)))
                #expect(Set(found) == ["t1", "t9"], "an artist without words narrows nothing")
            }
            #expect(try await store.search(LyricQuery("something else entirely")).isEmpty)
        },
    ]

    private static let changes: [MusicStoreRule] = [
        .init(name: "Merged ids lead on, over any number of steps, and what pointed to them is moved") {
            (store: any MusicStore) async throws in
            try await store.apply(shelf)
            let others = ["a", "b"].map { MusicChange.artist(Artist(id: EntityID($0), name: Name("Foxes \($0)"))) }
            try await store.apply(others + [.mergeArtist("ar1", into: "a"), .mergeArtist("a", into: "b")])
            #expect(try await store.artist("ar1")?.id == "b")
            #expect(try await store.albums(of: "ar1", offset: 0, limit: 10).count == 2)
            #expect(try await store.track("t1")?.credits.first?.artist == "b")
            try await store.apply([.mergeAlbum("al2", into: "al1"), .mergeTrack("t3", into: "t1")])
            #expect(try await store.album("al2")?.id == "al1")
            #expect(try await store.track("t3")?.id == "t1")
            #expect(tracks(try await store.search(MusicQuery(track: "lantern"))) == ["t1"])
        },
        .init(name: "All changes are made, or none") { (store: any MusicStore) async throws in
            try await store.apply(shelf)
            let bad: [MusicChange] = [.removeTrack("t1"), .mergeTrack("t2", into: "t2")]
            let error = await #expect(throws: EarshotError.self) { try await store.apply(bad) }
            #expect(error?.code == .metadataInvalid)
            #expect(try await store.track("t1") != nil)
        },
        .init(name: "A checkpoint is kept with the changes beside it, or not at all") {
            (store: any MusicStore) async throws in
            try await store.apply([.checkpoint("import", value: "7")] + shelf)
            #expect(try await store.checkpoint("import") == "7")
            let bad: [MusicChange] = [.checkpoint("import", value: "8"), .mergeTrack("t2", into: "t2")]
            await #expect(throws: EarshotError.self) { try await store.apply(bad) }
            #expect(try await store.checkpoint("import") == "7")
            try await store.apply([.checkpoint("import", value: nil)])
            #expect(try await store.checkpoint("import") == nil)
        },
        .init(name: "What is removed is not found; an album that goes leaves its tracks") {
            (store: any MusicStore) async throws in
            try await store.apply(shelf)
            try await store.apply([.removeAlbum("al1"), .removeTrack("t2"), .removeArtist("ar1")])
            #expect(try await store.album("al1") == nil)
            #expect(try await store.track("t1")?.place == nil)
            #expect(try await store.search(MusicQuery(track: "copper wire")).isEmpty)
            #expect(tracks(try await store.search(MusicQuery(artist: "tin foxes", track: "lantern"))) == ["t1", "t3"])
            #expect(try await store.search(MusicQuery(album: "morning rail", track: "lantern")).isEmpty)
        },
        .init(name: "A new title is found, the old one is not, and tracks follow their album") {
            (store: any MusicStore) async throws in
            try await store.apply(shelf + [.album(album("al1", "Night Ferry"))])
            #expect(tracks(try await store.search(MusicQuery(album: "night ferry", track: "lantern"))) == ["t1"])
            #expect(try await store.search(MusicQuery(album: "morning rail", track: "lantern")).isEmpty)
        },
        .init(name: "Ids of no length or of more than 512 bytes are refused") { (store: any MusicStore) async throws in
            for id in ["", String(repeating: "x", count: 513)] {
                let change = MusicChange.artist(Artist(id: EntityID(id), name: Name("x")))
                let error = await #expect(throws: EarshotError.self) { try await store.apply([change]) }
                #expect(error?.code == .metadataInvalid)
            }
        },
    ]
}
