import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Tables of tracks")
struct TrackTableTests {
    private func table(_ firstLine: String, ignoring: Bool = false) throws -> TrackTable {
        try TrackTable(firstLine: Data(firstLine.utf8), ignoresUnknown: ignoring)
    }

    private func description(_ header: String, _ row: String) throws -> TrackDescription {
        try table(header).description(of: Data(row.utf8))
    }

    @Test("Every column is read, whatever the case of its name")
    func columns() throws {
        let row: [(String, String)] = [
            ("Track_ID", "t1"), ("TITLE", "Lantern"), ("Title jpn", "提灯"), ("title_reading", "らんたん"),
            ("artist", "The Tin Foxes"), ("artist_id", "ar1"), ("artist_JPN", "狐"), ("artist_reading", "きつね"),
            ("artist-alternates", "TTF; Foxes"), ("album", "Morning Rail"), ("album_id", "al1"),
            ("album_deu", "Morgenbahn"),
            ("album_reading", "r"), ("album_artist", "Foxes & Friends"), ("album_artist_id", "ar2"),
            ("track_number", "3/12"),
            ("disc", "2"), ("year", "1999"), ("duration", "3:14.5"), ("isrc", "GB-AYE-06-01498"),
            ("barcode", "4006381333931"), ("genre", "Jazz"), ("mood", "happy"), ("tempo", "fast"), ("origin", "JP"),
            ("era", "1994"), ("artist_type", "Group"), ("album_review", "\"One.\n\nTwo,\nstill two.\""),
            ("artist_biography", "\"[\"\"A\"\",\"\"B\"\"]\""), ("artist_biography_jpn", "あ"), ("link_Shop", "4711"),
            ("album_link_shop", "https://example.org/1"), ("popularity", "0.25"),
        ]
        let header = row.map(\.0).joined(separator: ",")
        let track = try description(header, row.map(\.1).joined(separator: ","))
        #expect(track.id == "t1" && track.trackID == "t1" && track.albumID == "al1")
        #expect(track.title == Name("Lantern", translations: ["jpn": "提灯"], reading: "らんたん"))
        let artist = Name("The Tin Foxes", translations: ["jpn": "狐"], reading: "きつね", alternates: ["TTF", "Foxes"])
        #expect(track.artist == .init(artist, id: "ar1"))
        #expect(track.album?.name == Name("Morning Rail", translations: ["deu": "Morgenbahn"], reading: "r"))
        #expect(track.albumArtist == .init(Name("Foxes & Friends"), id: "ar2"))
        #expect((track.number, track.trackCount, track.disc) == (3, 12, 2))
        #expect(track.date == PartialDate("1999"))
        #expect(track.duration == MediaTime(value: 194_500, timescale: 1_000))
        #expect(track.identifiers.map(\.description) == ["isrc:GBAYE0601498"])
        #expect(track.album?.identifiers.map(\.description) == ["barcode:4006381333931"])
        #expect(track.genres == ["jazz"])
        #expect(track.mood != nil && track.tempo != nil && track.era != nil)
        #expect((track.origin, track.artistType) == ("JPN", "group"))
        #expect(track.review?.byLanguage == ["und": ["One.", "Two,\nstill two."]])
        #expect(track.biography?.byLanguage == ["und": ["A", "B"], "jpn": ["あ"]])
        #expect(track.links == [ExternalLink(source: "shop", id: "4711")])
        #expect(track.albumLinks.map(\.address) == ["https://example.org/1"])
        #expect(track.popularity == 0.25)
    }

    @Test("JSON gives the same as CSV")
    func json() throws {
        let object = #"""
            {"title":"Lantern","artist":"The Tin Foxes","album":"Morning Rail","track_number":3,"duration":61.5,"year":1999,
            "artist_alternates":["TTF"],"album_review":["One.","Two."],"genre":null,"mood":"  ","popularity":1}
            """#.replacingOccurrences(of: "\n", with: "")
        let track = try description(object, object)
        let header =
            "title,artist,album,track_number,duration,year,artist_alternates,album_review,genre,mood,popularity"
        let row = "Lantern,The Tin Foxes,Morning Rail,3,1:01.5,1999,TTF,\"One.\n\nTwo.\",,,1"
        #expect(try track == description(header, row))
        #expect(try !table(object).hasHeader && table(header).hasHeader)
    }

    @Test("Ids are the same in every run, and differ where tracks do")
    func ids() throws {
        let header = "title,artist,album,disc,track_number"
        func id(_ row: String) throws -> String { try description(header, row).trackID.rawValue }
        // Written down: what was imported once must be found again by every later version.
        #expect(try id("Lantern,The Tin Foxes,Morning Rail,1,1") == "track-eb26a24998c0db1e364a5d84551a6a1d")
        #expect(try id("LANTERN, the  tin foxes ,Morning rail,1,1") == id("Lantern,The Tin Foxes,Morning Rail,1,1"))
        let different = try [
            "Lantern,The Tin Foxes,Morning Rail,1,2", "Lantern,The Tin Foxes,Morning Rail,2,1",
            "Lantern,The Tin Foxes,,1,1",
            "Lantern?,The Tin Foxes,Morning Rail,1,1", "LanternThe,Tin Foxes,Morning Rail,1,1",
        ].map(id)
        #expect(Set(different).count == different.count)
    }

    @Test("Semicolons and tabs separate too")
    func separators() throws {
        for separator in [";", "\t"] {
            let track = try description("title\(separator)artist", "A, B\(separator)C")
            #expect(track.title.text == "A, B" && track.artist?.name.text == "C")
        }
        let marked = try TrackTable(firstLine: Data([0xEF, 0xBB, 0xBF]) + Data("title,artist\r".utf8))
        #expect(try marked.description(of: Data("A,B".utf8)).title.text == "A")
    }

    @Test(
        "A header that cannot be used says why",
        arguments: [
            ("title,artits", "\"artits\" is not known; the nearest is \"artist\""),
            ("title,trackno", "nearest is \"track_"), ("title,artist,Title", "is there twice"),
            ("artist,album", "no column \"title\""),
            (#"{"title":"x","artist":"y","albun":"z"}"#, "nearest is \"album\""), ("\"title,artist", "never closed"),
            ("title,title_japanese", "\"title_japanese\" is not known"),
        ]
    )
    func headers(header: String, reason: String) throws {
        let error = #expect(throws: EarshotError.self) { try table(header) }
        #expect(error?.code == .metadataInvalid)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("Unknown columns can be passed over")
    func ignored() throws {
        let track = try table("title,shelf,artist", ignoring: true).description(of: Data("A,12,B".utf8))
        #expect(track.title.text == "A" && track.artist?.name.text == "B")
        let object = #"{"title":"A","artist":"B","shelf":12}"#
        #expect(try table(object, ignoring: true).description(of: Data(object.utf8)).title.text == "A")
    }

    @Test(
        "A row that cannot be used says why",
        arguments: [
            ("title,artist", ",B", "\"title\" is missing"), ("title,artist", "A,", "\"artist\" is missing"),
            ("title,artist", "A", "The row has 1 fields and the header 2"), ("title,artist", "A,B,C", "3 fields"),
            ("title,artist,duration", "A,B,3:99", "\"duration\" is \"3:99\""),
            ("title,artist,duration", "A,B,inf", "write a length"),
            ("title,artist,popularity", "A,B,1.5", "from 0 to 1"),
            ("title,artist,isrc", "A,B,X", "an ISRC"), ("title,artist,barcode", "A,B,4006381333930", "check digit"),
            ("title,artist,track_number", "A,B,0", "above zero"), ("title,artist,date", "A,B,May", "a date"),
            ("title,artist", "\"A,B", "never closed"), (#"{"title":"A","artist":"B"}"#, "no json", "not JSON"),
            (#"{"title":"A","artist":"B"}"#, #"{"title":{},"artist":"B"}"#, "no object of texts"),
            (#"{"title":"A","artist":"B"}"#, #"{"title":["A","B"],"artist":"B"}"#, "2 values"),
            (#"{"title":"A","artist":"B"}"#, #"{"title":"A","artist":"B","tittle":"x"}"#, "nearest is \"title\""),
        ]
    )
    func rows(header: String, row: String, reason: String) throws {
        let error = #expect(throws: EarshotError.self) { try description(header, row) }
        #expect(error?.code == .metadataInvalid)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test("Texts that name no descriptor are told")
    func unknown() throws {
        let unknown = UnknownDescriptors()
        let table = try TrackTable(firstLine: Data("title,artist,genre".utf8), unknown: unknown)
        for genre in ["Zzgenre", "Jazz", "Zzgenre"] { _ = try table.description(of: Data("A,B,\(genre)".utf8)) }
        #expect(unknown.counts == [.genre: ["Zzgenre": 2]])
    }

    @Test("A damaged row is used or refused, and nothing else")
    func damaged() throws {
        let rows = [
            "A,\"B \"\"b\"\"\",3:14,\"x\n\ny\"", #"{"title":"A","artist":"B","duration":3.5,"album_review":["x"]}"#,
        ]
        let tables = try [table("title,artist,duration,album_review"), table(rows[1])]
        property("damaged rows") { generator in
            let which = Int.random(in: 0..<2, using: &generator)
            do throws(EarshotError) {
                _ = try tables[which].changes(in: Data(generator.mutated(Array(rows[which].utf8))))
                return true
            } catch {
                return error.code == .metadataInvalid
            }
        }
    }
}
