import EarshotCore
import EarshotMusic
import Foundation
import Testing

@Suite("The model of music")
struct MusicModelTests {
    @Test("A name is shown in the language asked for, or as its makers write it")
    func names() {
        let name = Name("Édith", translations: ["jpn": "エディット"], reading: "えでぃっと", alternates: ["Edith", "Édith"])
        #expect(name.text(in: "jpn") == "エディット")
        #expect(name.text(in: "deu") == "Édith")
        #expect(name.text(in: nil) == "Édith")
        #expect(name.spellings == ["Édith", "エディット", "えでぃっと", "Edith"])
    }

    @Test("Dates may lack day and month")
    func dates() throws {
        #expect(
            ["1999", "1999-05", "1999-05-31", "2000-02-29"].map { PartialDate($0)?.description } == [
                "1999", "1999-05", "1999-05-31", "2000-02-29",
            ]
        )
        #expect(PartialDate("1999-00-00") == PartialDate(year: 1999))
        for text in [
            "", "99", "1999-13", "1999-02-30", "1900-02-29", "1999-5", "1999-05-31-01", "0000", "19９9", "-199",
        ] {
            #expect(PartialDate(text) == nil, "\(text)")
        }
        let sorted = ["1999-05-02", "1999", "1998-12", "1999-05"].compactMap { PartialDate($0) }.sorted()
        #expect(sorted.map(\.description) == ["1998-12", "1999", "1999-05", "1999-05-02"])
        let data = try JSONEncoder().encode(sorted)
        #expect(try JSONDecoder().decode([PartialDate].self, from: data) == sorted)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PartialDate].self, from: Data(#"["soon"]"#.utf8))
        }
    }

    @Test("Credits are written as they are printed, without those who only had a part in it")
    func credits() {
        let credits = [
            ArtistCredit("One", joint: " & "), ArtistCredit("Two", joint: " feat. "),
            ArtistCredit("Three", role: .featured),
            ArtistCredit("Four", role: .producer),
        ]
        #expect(credits.displayName == "One & Two feat. Three")
        #expect([ArtistCredit("One"), ArtistCredit("Two")].displayName == "One, Two")
        #expect([ArtistCredit]().displayName.isEmpty)
    }

    @Test("An album's tracks are counted over all media, where each says how many it has")
    func counts() {
        var album = Album(id: "a", title: Name("A"))
        #expect(album.trackCount == nil)
        album.media = [.init(position: 1, trackCount: 10), .init(position: 2, trackCount: 4)]
        #expect(album.trackCount == 14)
        album.media.append(.init(position: 3))
        #expect(album.trackCount == nil)
    }

    @Test("A text comes in the language asked for, else in English, else in any")
    func paragraphs() {
        let text = Paragraphs(["eng": ["One.", "Two."], "jpn": ["一"], "deu": []])
        #expect(text.paragraphs(in: "jpn") == ["一"])
        #expect(text.paragraphs(in: "deu") == ["One.", "Two."])
        #expect(Paragraphs(["fra": ["Un."]]).paragraphs(in: nil) == ["Un."])
        #expect(Paragraphs([:]).paragraphs(in: "eng") == nil)
    }

    @Test("Times keep their scale in JSON")
    func times() throws {
        let times: [MediaTime] = [
            .init(value: -74, timescale: 44_100), .indefinite, .positiveInfinity, .negativeInfinity,
        ]
        let data = try JSONEncoder().encode(times)
        let again = try JSONDecoder().decode([MediaTime].self, from: data)
        #expect(again.map(\.description) == ["-74/44100", "indefinite", "+infinity", "-infinity"])
        for text in ["1/0", "1", "/", "1/2/3", "x/1", "1/-5", "99999999999999999999/1"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([MediaTime].self, from: Data("[\"\(text)\"]".utf8))
            }
        }
    }
}
