import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("MusicBrainz dumps")
struct MusicBrainzReaderTests {
    private static let artist = #"""
        {"id":"11111111-2222-4333-8444-555555555555","name":"山田花子","sort-name":"Yamada, Hanako","type":"Person",
        "gender":"female","country":"JP","area":{"id":"x","name":"Japan","iso-3166-1-codes":["JP"]},"isnis":["0000000121032683"],
        "life-span":{"begin":"1971-03","end":null,"ended":false},"disambiguation":"","rating":{"value":4.5,"votes-count":2},
        "aliases":[{"name":"Hanako Yamada","locale":"en","primary":true,"sort-name":"Yamada, Hanako","type":"Artist name"},
        {"name":"H. Y.","locale":null,"primary":null}],
        "relations":[{"type":"official homepage","target-type":"url","url":{"id":"u","resource":"https://example.org/hanako"}}]}
        """#

    private static let release = #"""
        {"id":"aaaaaaaa-2222-4333-8444-555555555555","title":"Two Lamps","date":"2004-11-02","barcode":"4006381333931",
        "artist-credit":[{"name":"Hanako","joinphrase":" feat. ","artist":{"id":"11111111-2222-4333-8444-555555555555","name":"山田花子"}},
        {"name":"Nobody","joinphrase":"","artist":{"id":"22222222-2222-4333-8444-555555555555","name":"Nobody"}}],
        "release-group":{"id":"bbbbbbbb-2222-4333-8444-555555555555","primary-type":"Album","secondary-types":["Compilation"],
        "genres":[{"name":"rock","count":3},{"name":"jazz","count":7},{"name":"unheard of","count":9}]},
        "media":[{"position":1,"format":"CD","title":"","track-count":2,"tracks":[
        {"id":"cccccccc-2222-4333-8444-555555555555","number":"1","position":1,"title":"Lamp","length":183040,
        "recording":{"id":"dddddddd-2222-4333-8444-555555555555","title":"Lamp","length":183000,"isrcs":["GBAYE0601498"]}},
        {"id":"eeeeeeee-2222-4333-8444-555555555555","number":"2","position":2,"title":"Lamp (live)","length":null,
        "artist-credit":[{"name":"Nobody","joinphrase":"","artist":{"id":"22222222-2222-4333-8444-555555555555"}}],
        "recording":{"id":"ffffffff-2222-4333-8444-555555555555","length":60500.4,"genres":[{"name":"rock","count":1}]}}]}]}
        """#

    private static let reader = MusicBrainzReader(
        descriptors: .init(
            genre: { ["rock": "g1", "jazz": "g2"][$0] },
            origin: { $0 == "JP" ? "o1" : nil },
            era: { $0 == 1971 ? "e1" : nil },
            artistType: { "\($0) \($1 ?? "")" }
        )
    )

    private func changes(_ text: String, _ kind: MusicBrainzReader.Kind) throws -> [MusicChange] {
        try Self.reader.changes(in: Data(text.utf8), of: kind)
    }

    @Test("An artist with names, origin, time, kind and links")
    func artists() throws {
        guard case .artist(let artist)? = try changes(Self.artist, .artist).first else {
            Issue.record("no artist")
            return
        }
        #expect(artist.id == "11111111-2222-4333-8444-555555555555")
        #expect(artist.name == Name("山田花子", translations: ["eng": "Hanako Yamada"], alternates: ["H. Y."]))
        #expect(artist.sortName == "Yamada, Hanako")
        #expect((artist.origin, artist.era, artist.type) == ("o1", nil, "Person female"))
        #expect(artist.links.map(\.source) == ["official homepage"])
        #expect(
            artist.identifiers.map(\.description).sorted() == [
                "isni:0000000121032683", "musicBrainzArtist:11111111-2222-4333-8444-555555555555",
            ]
        )
    }

    @Test("Descriptors come from the taxonomies; a group has the time in which it began")
    func taxonomies() throws {
        let reader = MusicBrainzReader(descriptors: .init(.builtIn))
        let group = #"{"id":"x","name":"X","type":"Group","country":"DE","life-span":{"begin":"1985-01-02"}}"#
        let lines = [Self.artist, group].map { Data($0.utf8) }
        let artists = try lines.flatMap { line in try reader.changes(in: line, of: .artist) }.compactMap { change in
            if case .artist(let artist) = change { artist } else { nil }
        }
        #expect(artists.map(\.origin) == ["JPN", "DEU"])
        #expect(artists.map(\.type) == ["solo-female", "group"])
        #expect(artists.map(\.era) == [nil, "1980s-mid"])
        guard case .album(let album)? = try reader.changes(in: Data(Self.release.utf8), of: .release).first else {
            Issue.record("no album")
            return
        }
        #expect(album.genres.compactMap { Taxonomies.builtIn.taxonomy(.genre)?[$0] }.count == 2)
    }

    @Test("A release with its tracks")
    func releases() throws {
        let changes = try changes(Self.release, .release)
        #expect(changes.count == 3)
        guard case .album(let album)? = changes.first, case .track(let first) = changes[1],
            case .track(let second) = changes[2]
        else {
            Issue.record("not an album and two tracks")
            return
        }
        #expect(album.title.text == "Two Lamps")
        #expect(album.date == PartialDate("2004-11-02"))
        #expect(album.isCompilation)
        #expect(album.credits.displayName == "Hanako feat. Nobody")
        #expect(album.credits.map(\.role) == [.main, .featured])
        #expect(album.genres == ["g2", "g1"])
        #expect(album.media == [.init(position: 1, format: "CD", trackCount: 2)])
        #expect(album.identifiers.contains { $0.description == "barcode:4006381333931" })
        #expect(first.place == .init(album: album.id, medium: 1, number: 1))
        #expect(first.duration == MediaTime(value: 183_040, timescale: 1_000))
        #expect(first.credits.isEmpty)
        #expect(first.identifiers.contains { $0.description == "isrc:GBAYE0601498" })
        #expect(second.credits.displayName == "Nobody")
        #expect(second.duration == MediaTime(value: 60_500, timescale: 1_000))
        #expect(second.genres == ["g1"])
    }

    @Test(
        "What cannot be used says why",
        arguments: [
            ("{\"id\":\"x\"}", "\"name\" is missing"), ("{\"id\":5,\"name\":\"x\"}", "\"id\" has another type"),
            ("[]", "another type"), ("{\"id\":", "not JSON"), ("", "not JSON"),
        ]
    )
    func rejects(line: String, reason: String) throws {
        let error = #expect(throws: EarshotError.self) { try changes(line, .artist) }
        #expect(error?.code == .metadataInvalid)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("A damaged line is used or refused, and nothing else")
    func damaged() {
        property("damaged lines") { generator in
            var bytes = Array(Self.release.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(EarshotError) {
                _ = try Self.reader.changes(in: Data(bytes), of: .release)
                return true
            } catch {
                return error.code == .metadataInvalid
            }
        }
    }
}
