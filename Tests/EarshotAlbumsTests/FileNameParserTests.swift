import Testing

@testable import EarshotAlbums

@Suite("Names of files and folders")
struct FileNameParserTests {
    @Test(
        "the number and the title of a name",
        arguments: [
            ("03 Lantern.flac", 3, nil, "Lantern"), ("03. Lantern.mp3", 3, nil, "Lantern"),
            ("03 - Lantern.ogg", 3, nil, "Lantern"), ("03-Lantern.ogg", 3, nil, "Lantern"),
            ("(03) Lantern.wav", 3, nil, "Lantern"), ("[03] Lantern.wav", 3, nil, "Lantern"),
            ("2-03 Lantern.m4a", 3, 2, "Lantern"), ("2.03 Lantern.m4a", 3, 2, "Lantern"),
            ("203 Lantern.m4a", 3, 2, "Lantern"), ("03_the_tin_lantern.mp3", 3, nil, "the tin lantern"),
            ("12 寒い日.flac", 12, nil, "寒い日"),
        ] as [(String, Int, Int?, String)]
    )
    func numbers(name: String, number: Int, disc: Int?, title: String) {
        let first = FileNameParser.readings(of: name).first
        #expect(first == FileNameParser(title: title, number: number, disc: disc))
    }

    @Test("artist, album and title of a name, and the other ways to read it")
    func fields() {
        let two = FileNameParser.readings(of: "The Tin Foxes - Lantern.mp3")
        #expect(two.first == FileNameParser(title: "Lantern", artist: "The Tin Foxes"))
        #expect(two.contains(FileNameParser(title: "The Tin Foxes - Lantern")))
        #expect(
            FileNameParser.readings(of: "The Tin Foxes - Morning Rail - 03 - Lantern.mp3").first
                == FileNameParser(title: "Lantern", artist: "The Tin Foxes", album: "Morning Rail", number: 3)
        )
        #expect(
            FileNameParser.readings(of: "The Tin Foxes - 03 Lantern.mp3").first
                == FileNameParser(title: "Lantern", artist: "The Tin Foxes", number: 3)
        )
        #expect(
            FileNameParser.readings(of: "03 The Tin Foxes - Lantern.mp3").first
                == FileNameParser(title: "Lantern", artist: "The Tin Foxes", number: 3)
        )
    }

    @Test(
        "a title that begins with a number may be one",
        arguments: ["99 Luftballons.mp3", "7th Heaven.mp3", "2001.mp3"]
    )
    func titles(name: String) {
        #expect(FileNameParser.readings(of: name).contains { $0.title == name.dropLast(4) && $0.number == nil })
    }

    @Test("what has no title has no reading", arguments: ["", ".mp3", "   "])
    func nothing(name: String) {
        #expect(FileNameParser.readings(of: name).allSatisfy { !$0.title.isEmpty })
    }

    @Test(
        "folders name artists, albums, years and discs",
        arguments: [
            (["The Tin Foxes", "Morning Rail (1999)", "CD 2"], "Morning Rail", "The Tin Foxes", 1999, 2),
            (["The Tin Foxes - Morning Rail [1999] [FLAC]"], "Morning Rail", "The Tin Foxes", 1999, nil),
            (["The Tin Foxes", "1999 - Morning Rail"], "Morning Rail", "The Tin Foxes", 1999, nil),
            (["The Tin Foxes", "(1999) Morning Rail", "disc02"], "Morning Rail", "The Tin Foxes", 1999, 2),
            (["The_Tin_Foxes", "Morning_Rail"], "Morning Rail", "The Tin Foxes", nil, nil),
        ] as [([String], String, String, Int?, Int?)]
    )
    func folders(path: [String], album: String, artist: String, year: Int?, disc: Int?) {
        let reading = FolderNameParser(path)
        #expect(reading.albums.first == album)
        #expect(reading.artists.first == artist)
        #expect(reading.year == year)
        #expect(reading.disc == disc)
    }

    @Test("no disc is read out of other names", arguments: ["CDs", "Discovery", "Disco 2000", "LPs of 1999", "1"])
    func noDiscs(name: String) { #expect(FolderNameParser.disc(name) == nil) }
}
