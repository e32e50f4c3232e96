import EarshotCore
import EarshotLibrary
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Reading playlists")
struct PlaylistReaderTests {
    private static let base = URL(fileURLWithPath: "/music/lists/list.m3u")

    static func read(
        _ text: String,
        _ format: PlaylistFormat,
        _ limits: (inout PlaylistReader.Limits) -> Void = { _ in }
    ) throws -> Playlist {
        var reader = PlaylistReader()
        limits(&reader.limits)
        return try reader.playlist(in: Data(text.utf8), format: format, base: base)
    }

    static func xspf(_ tracks: String, head: String = "") -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\">\(head)<trackList>\(tracks)</trackList></playlist>"
    }

    @Test("A list of paths with what EXTINF says of them")
    func m3u() throws {
        let playlist = try Self.read(
            """
            #EXTM3U
            #PLAYLIST: Evening
            # a remark

            #EXTINF:185,Rilo Kiley - Portions for Foxes
            ../Rilo Kiley/03.mp3
            #EXTINF:-1 tvg-id="a,b" group="x",Radio
            https://example.org/stream?a=1&b=2
            #EXTALB:Album
            #EXTART:Artist
            #EXTINF:12.5,One - Two
            /else/ü.mp3
            plain.mp3
            """,
            .m3u8
        )
        #expect(playlist.title == "Evening" && playlist.entries.count == 4)
        #expect(
            playlist.entries[0]
                == PlaylistEntry(
                    url: URL(fileURLWithPath: "/music/Rilo Kiley/03.mp3"),
                    title: "Portions for Foxes",
                    artist: "Rilo Kiley",
                    duration: MediaTime(value: 185, timescale: 1)
                )
        )
        #expect(
            playlist.entries[1] == PlaylistEntry(url: URL(string: "https://example.org/stream?a=1&b=2"), title: "Radio")
        )
        #expect(playlist.entries[2].url?.path == "/else/ü.mp3" && playlist.entries[2].album == "Album")
        #expect(playlist.entries[2].artist == "Artist" && playlist.entries[2].title == "One - Two")
        #expect(playlist.entries[2].duration == MediaTime(value: 12_500, timescale: 1_000))
        #expect(playlist.entries[3] == PlaylistEntry(url: URL(fileURLWithPath: "/music/lists/plain.mp3")))
    }

    @Test(
        "Paths are resolved against the playlist",
        arguments: [
            ("a.mp3", "/music/lists/a.mp3"), ("./a.mp3", "/music/lists/a.mp3"), ("../a/../b.mp3", "/music/b.mp3"),
            ("..\\Music\\a.mp3", "/music/Music/a.mp3"), ("C:\\Music\\a.mp3", "/C:/Music/a.mp3"),
            ("100%.mp3", "/music/lists/100%.mp3"), ("a%20b.mp3", "/music/lists/a%20b.mp3"),
            ("file:///x/a%20b.mp3", "/x/a b.mp3"), ("Re: Title.mp3", "/music/lists/Re: Title.mp3"),
            ("エアリスのテ-マ.mp3", "/music/lists/エアリスのテ-マ.mp3"), ("a\\b/c.mp3", "/music/lists/a\\b/c.mp3"),
        ]
    )
    func paths(text: String, path: String) throws {
        for (format, text) in [(PlaylistFormat.m3u, text), (.pls, "[playlist]\nFile1=" + text)] {
            let url = try #require(try Self.read(text, format).entries.first?.url)
            #expect(url.isFileURL && url.path == path)
        }
    }

    @Test("Lines end with LF, CRLF or CR", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let playlist = try Self.read(
            ["#EXTM3U", "#EXTINF:1,A", " a.mp3 ", "", "b.mp3", ""].joined(separator: end),
            .m3u
        )
        #expect(playlist.entries.map(\.url?.lastPathComponent) == ["a.mp3", "b.mp3"])
        #expect(playlist.entries.map(\.title) == ["A", nil])
    }

    @Test(
        "Every form of Unicode is read, with and without a mark, and other encodings in M3U",
        arguments: [
            (String.Encoding.utf8, "片翼の天使"), (.utf16, "片翼の天使"), (.windowsCP1252, "Café €"), (.isoLatin1, "Café"),
            (.shiftJIS, "片翼の天使"), (.utf16LittleEndian, "片翼"), (.utf16BigEndian, "片翼"),
        ]
    )
    func encodings(encoding: String.Encoding, name: String) throws {
        var data = try #require("#EXTINF:1,\(name)\n\(name).mp3\n".data(using: encoding))
        switch encoding {
        case .utf8: data = Data([0xEF, 0xBB, 0xBF]) + data
        case .utf16LittleEndian: data = Data([0xFF, 0xFE]) + data
        case .utf16BigEndian: data = Data([0xFE, 0xFF]) + data
        default: break
        }
        var reader = PlaylistReader()
        if encoding == .shiftJIS { reader.legacyEncoding = .shiftJIS }
        let entry = try #require(try reader.playlist(in: data, format: .m3u, base: Self.base).entries.first)
        #expect(entry.title == name && entry.url?.lastPathComponent == name + ".mp3")
    }

    @Test("A list that should be in UTF-8 and is not is refused")
    func notUTF8() {
        expectFault("save it as UTF-8") { try PlaylistReader().playlist(in: Data([0xE9, 0x0A]), format: .m3u8) }
        expectFault("is no text") { try PlaylistReader().playlist(in: Data([0x61, 0, 0x62]), format: .m3u) }
    }

    @Test("Numbered keys in any order, with gaps, and a count that is wrong")
    func pls() throws {
        let playlist = try Self.read(
            """
            [Playlist]
            NumberOfEntries=7
            title3=Third
            File1=a.mp3
            File3=http://example.org/s
            Length1=185
            Length3=-1
            Title1 = First = one
            Title9=Without a file
            Version=2
            """,
            .pls
        )
        #expect(playlist.entries.map(\.title) == ["First = one", "Third"])
        #expect(playlist.entries.map(\.duration) == [MediaTime(value: 185, timescale: 1), nil])
        #expect(playlist.entries.map(\.url?.lastPathComponent) == ["a.mp3", "s"])
    }

    @Test("A playlist in XSPF")
    func xspf() throws {
        let playlist = try Self.read(
            Self.xspf(
                """
                <track><location>../a%20b.mp3</location><location>http://example.org/a</location>
                  <title>Don&#x2019;t &amp; <![CDATA[<Do>]]></title><creator>A</creator><album>L</album>
                  <trackNum>3</trackNum><duration>185000</duration><meta rel="x">y</meta>
                  <extension application="x"><title>Not this</title></extension></track>
                <track></track><track><title>Somewhere</title><duration>0</duration></track>
                <track xml:base="http://example.org/m/"><location>c.ogg</location></track>
                """,
                head: "<title>Evening</title><creator>Me</creator>"
            ),
            .xspf
        )
        #expect(playlist.title == "Evening" && playlist.creator == "Me" && playlist.entries.count == 3)
        #expect(
            playlist.entries.first
                == PlaylistEntry(
                    url: URL(fileURLWithPath: "/music/a b.mp3"),
                    title: "Don’t & <Do>",
                    artist: "A",
                    album: "L",
                    trackNumber: 3,
                    duration: MediaTime(value: 185_000, timescale: 1_000)
                )
        )
        #expect(playlist.entries[1] == PlaylistEntry(url: nil, title: "Somewhere"))
        #expect(playlist.entries[2].url?.absoluteString == "http://example.org/m/c.ogg")
    }

    @Test(
        "XML that is damaged, reaches outside or is something else is refused",
        arguments: [
            ("<playlist><trackList>", "damaged"), ("", "damaged"), ("<rss></rss>", "no playlist in XSPF"),
            ("<!DOCTYPE p [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><playlist>&a;</playlist>", "entities"),
            ("<playlist><title>&b;</title></playlist>", "entities"),
            ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><playlist/>", "convert"),
            (String(repeating: "<playlist>", count: 20), "deeper"),
        ]
    )
    func refused(text: String, reason: String) {
        expectFault(reason) { try Self.read(text, .xspf) }
    }

    @Test("A playlist that begins as none in PLS is refused")
    func noPLS() {
        expectFault("begins with [playlist]") { try Self.read("File1=a.mp3", .pls) }
    }

    @Test("What exceeds a limit is refused, with the limit")
    func limits() {
        let three = ["a", "b", "c"]
        let texts: [(PlaylistFormat, String)] = [
            (.m3u, three.joined(separator: "\n")),
            (.pls, "[playlist]\nFile1=a\nFile2=b\nFile3=c"),
            (.xspf, Self.xspf(three.map { "<track><location>\($0)</location></track>" }.joined())),
        ]
        for (format, text) in texts {
            #expect(throws: Never.self) { try Self.read(text, format) { $0.entries = 3 } }
            expectFault("more than 2 entries") { try Self.read(text, format) { $0.entries = 2 } }
            expectFault("more than the 4 bytes") { try Self.read(text, format) { $0.size = 4 } }
        }
        let long = String(repeating: "a", count: 11)
        expectFault("line 2: the line is longer") { try Self.read("b\n" + long, .m3u) { $0.textSize = 10 } }
        expectFault("longer than 10 bytes") {
            try Self.read(Self.xspf("<track><title>\(long)</title></track>"), .xspf) { $0.textSize = 10 }
        }
    }

    @Test("A file is read by its name; what is none, or of another kind, is named")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("list.M3U8")
        try Data("a.mp3\n".utf8).write(to: file)
        let reader = PlaylistReader()
        let url = try #require(try reader.playlist(contentsOf: file).entries.first?.url)
        #expect(url.path == folder.appendingPathComponent("a.mp3").standardizedFileURL.path)
        func code(_ url: URL) -> EarshotError.Code? {
            do { _ = try reader.playlist(contentsOf: url) } catch { return error.code }
            return nil
        }
        #expect(code(folder.appendingPathComponent("none.m3u")) == .assetNotFound)
        #expect(code(folder.appendingPathComponent("list.txt")) == .fileTypeUnsupported)
        let inner = folder.appendingPathComponent("folder.pls", isDirectory: true)
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        #expect(code(inner) == .assetIsDirectory)
        var small = reader
        small.limits.size = 3
        #expect { try small.playlist(contentsOf: file) } throws: { ($0 as? EarshotError)?.code == .metadataInvalid }
    }

    @Test("A playlist is a library: each entry once, with an identifier of the caller or of its address")
    func library() async throws {
        let playlist = try Self.read("a.mp3\n#EXTINF:1,B\nb.mp3\na.mp3", .m3u)
        let items = try await PlaylistLibrary(playlist).items()
        #expect(items.map(\.assetURL?.lastPathComponent) == ["a.mp3", "b.mp3"] && items[1].title == "B")
        #expect(items.map(\.id) == (try await PlaylistLibrary(playlist).items()).map(\.id))
        let named = try await PlaylistLibrary(playlist) { ItemID(rawValue: $0.url?.lastPathComponent ?? "") }
            .item(ItemID(rawValue: "b.mp3"))
        #expect(named?.title == "B")
        let bare = Playlist(entries: ["X", "Y", "X"].map { PlaylistEntry(url: nil, title: $0) })
        #expect(try await PlaylistLibrary(bare).items().compactMap(\.title) == ["X", "Y"])
    }

    private func expectFault(
        _ words: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Playlist
    ) {
        do {
            _ = try body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch {
            let error = error as? EarshotError
            #expect(error?.code == .metadataInvalid, sourceLocation: sourceLocation)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
        }
    }
}
