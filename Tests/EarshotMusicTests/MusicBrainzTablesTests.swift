import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Tables of a MusicBrainz dump")
struct MusicBrainzTablesTests {
    private static let descriptors = MusicBrainzReader.Descriptors(
        genre: { _ in nil },
        origin: { $0 == "JP" ? "o1" : nil },
        era: { $0 == 1994 ? "e1" : nil },
        artistType: { "\($0) \($1 ?? "")" }
    )

    private static func id(_ digit: Character) -> String {
        "\(String(repeating: digit, count: 8))-2222-4333-8444-555555555555"
    }

    /// The changes of all rows of a table.
    private func changes(_ folder: URL, _ table: MusicBrainzTables.Table) throws -> [MusicChange] {
        let tables = try MusicBrainzTables(folder: folder)
        let changes = try tables.changes(of: table, descriptors: Self.descriptors)
        let text = try String(contentsOfFile: tables.path(of: table), encoding: .utf8)
        return try text.split(separator: "\n").flatMap { try changes(Data($0.utf8)) }
    }

    @Test("An artist has its names, origin, time, kind and identifiers")
    func artists() throws {
        try withTemporaryFolder { folder in
            try MusicBrainzDump.write(to: folder)
            let artists = try changes(folder, .artist).compactMap { change in
                if case .artist(let artist) = change { artist } else { nil }
            }
            #expect(artists.count == 2)
            let foxes = try #require(artists.first)
            #expect(foxes.id.rawValue == Self.id("1"))
            #expect(foxes.name == Name("The Tin Foxes", translations: ["jpn": "ティン・フォクシズ"], alternates: ["T. F."]))
            #expect(foxes.sortName == "Tin Foxes, The")
            #expect((foxes.origin, foxes.era, foxes.type) == ("o1", "e1", "Group "))
            #expect(
                foxes.identifiers.map(\.description).sorted() == [
                    "discogsArtist:4711", "isni:0000000121032683", "musicBrainzArtist:\(Self.id("1"))",
                    "wikidata:Q987654",
                ]
            )
            #expect(Set(foxes.links.map(\.source)) == ["discogs", "wikidata"])
            // Of a person the year of birth is no era.
            #expect((artists[1].era, artists[1].type, artists[1].origin) == (nil, "Person female", nil))
        }
    }

    @Test("A release has its credits, its first date, bar code, media and identifiers")
    func releases() throws {
        try withTemporaryFolder { folder in
            try MusicBrainzDump.write(to: folder)
            let albums = try changes(folder, .release).compactMap { change in
                if case .album(let album) = change { album } else { nil }
            }
            let rail = try #require(albums.first)
            #expect(rail.id.rawValue == Self.id("a") && rail.title == Name("Morning\tRail \\ Night"))
            #expect(rail.credits.map(\.name) == ["The Tin Foxes", "Ada"])
            #expect(rail.credits.map(\.artist?.rawValue) == [Self.id("1"), Self.id("2")])
            #expect(rail.date == PartialDate("1999-05"))
            #expect(rail.isCompilation)
            #expect(
                rail.media == [
                    Album.Medium(position: 1, format: "CD", trackCount: 2),
                    Album.Medium(position: 2, title: "Extras", trackCount: 1),
                ]
            )
            #expect(
                rail.identifiers.map(\.description).sorted() == [
                    "barcode:4006381333931", "discogsRelease:815", "musicBrainzRelease:\(Self.id("a"))",
                    "musicBrainzReleaseGroup:\(Self.id("b"))",
                ]
            )
            // What is null is not there.
            #expect(albums[1].date == nil && albums[1].media.isEmpty && albums[1].title == Name("Null"))
        }
    }

    @Test("A track has its place, length and codes; of its credits what the album does not say; data is no track")
    func tracks() throws {
        try withTemporaryFolder { folder in
            try MusicBrainzDump.write(to: folder)
            let tracks = try changes(folder, .track).compactMap { change in
                if case .track(let track) = change { track } else { nil }
            }
            #expect(tracks.map(\.title) == [Name("Lantern"), Name("Copper Wire"), Name("Hidden")])
            let lantern = tracks[0]
            #expect(lantern.place == Track.Place(album: EntityID(Self.id("a")), medium: 1, number: 1))
            #expect(lantern.credits.isEmpty)
            #expect(lantern.duration == MediaTime(value: 61_500, timescale: 1_000))
            #expect(
                lantern.identifiers.map(\.description).sorted() == [
                    "isrc:GBAYE0601498", "musicBrainzRecording:\(Self.id("d"))", "musicBrainzTrack:\(Self.id("c"))",
                ]
            )
            #expect(tracks[1].credits.map(\.name) == ["The Tin Foxes"])
            // The recording knows the length where the track does not, and what is before the first track has no number.
            #expect(tracks[1].duration == MediaTime(value: 60_000, timescale: 1_000))
            #expect(tracks[2].place?.number == nil && tracks[2].place?.medium == 2 && tracks[2].duration == nil)
        }
    }

    @Test(
        "A row that cannot be used is refused by its columns, its id or what it is on",
        arguments: [
            "1\tx", MusicBrainzDump.track(gid: "no UUID"), MusicBrainzDump.track(medium: "99"),
            MusicBrainzDump.track(name: ""),
            MusicBrainzDump.track(medium: "99999999999999999999"),
        ]
    )
    func refused(row: String) throws {
        try withTemporaryFolder { folder in
            try MusicBrainzDump.write(to: folder)
            let changes = try MusicBrainzTables(folder: folder).changes(of: .track)
            let error = #expect(throws: EarshotError.self) { _ = try changes(Data(row.utf8)) }
            #expect(error?.code == .metadataInvalid)
        }
    }

    @Test("Tables that need not be there may be missing; without the others nothing begins")
    func missing() throws {
        try withTemporaryFolder { folder in
            try MusicBrainzDump.write(to: folder)
            let needed: Set = ["artist", "artist_credit_name", "release", "medium", "track", "recording"]
            for table in MusicBrainzDump.tables.keys where !needed.contains(table) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(table))
            }
            #expect(try changes(folder, .artist).count == 2)
            #expect(try changes(folder, .release).count == 2)
            #expect(try changes(folder, .track).count == 3)
            try FileManager.default.removeItem(at: folder.appendingPathComponent("recording"))
            let error = #expect(throws: EarshotError.self) { _ = try MusicBrainzTables(folder: folder) }
            #expect(error?.code == .assetNotFound && error?.message.contains("no table recording") == true)
        }
    }

    @Test(
        "An address of Wikidata or Discogs holds an identifier; of others and of other pages it holds none",
        arguments: [
            ("https://www.wikidata.org/wiki/Q42", "wikidata:Q42"),
            ("http://www.wikidata.org/entity/Q42", "wikidata:Q42"),
            ("https://www.discogs.com/artist/108713-The-Name?x=1", "discogsArtist:108713"),
            ("https://www.discogs.com/de/release/249504", "discogsRelease:249504"),
            ("https://www.discogs.com/master/96559#top", "discogsMaster:96559"),
            ("https://www.wikidata.org/wiki/Property:P434", nil), ("https://www.discogs.com/label/1", nil),
            ("https://www.discogs.com/artist/007", nil), ("https://www.wikidata.org.example/wiki/Q42", nil),
            ("ftp://www.wikidata.org/wiki/Q42", nil), ("://", nil), ("wiki/Q42", nil), ("", nil),
        ] as [(String, String?)]
    )
    func addresses(address: String, identifier: String?) {
        #expect(MusicIdentifier(address: address)?.description == identifier)
    }
}
