import EarshotCore
import EarshotLibrary
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Writing playlists")
struct PlaylistWriterTests {
    private static let base = URL(fileURLWithPath: "/music/lists/list.m3u8")

    private static let sample = Playlist(
        title: "Evening & night",
        creator: "Me",
        entries: [
            PlaylistEntry(
                url: URL(fileURLWithPath: "/music/lists/a b/片翼の天使.mp3"),
                title: "片翼 <天使>",
                artist: "植松伸夫",
                album: "More Friends",
                trackNumber: 12,
                duration: MediaTime(value: 185, timescale: 1)
            ),
            PlaylistEntry(url: URL(fileURLWithPath: "/else/c.mp3"), title: "C"),
            PlaylistEntry(url: URL(string: "https://example.org/s?a=1&b=2")),
        ]
    )

    @Test("What is written in M3U8 is this")
    func m3u8() {
        let text = String(decoding: PlaylistWriter(base: Self.base).m3u8(Self.sample), as: UTF8.self)
        #expect(
            text == """
                #EXTM3U
                #PLAYLIST:Evening & night
                #EXTALB:More Friends
                #EXTINF:185,植松伸夫 - 片翼 <天使>
                a b/片翼の天使.mp3
                #EXTINF:-1,C
                /else/c.mp3
                https://example.org/s?a=1&b=2

                """
        )
    }

    @Test("What is written in XSPF is read again as it was")
    func xspf() throws {
        let data = PlaylistWriter(base: Self.base).xspf(Self.sample)
        #expect(try PlaylistReader().playlist(in: data, format: .xspf, base: Self.base) == Self.sample)
        #expect(String(decoding: data, as: UTF8.self).contains("<location>a%20b/"))
        let full = PlaylistWriter().xspf(Self.sample)
        #expect(try PlaylistReader().playlist(in: full, format: .xspf, base: nil) == Self.sample)
        #expect(String(decoding: full, as: UTF8.self).contains("<location>file:///music/lists/a%20b/"))
    }

    @Test(
        "Names of files that look like something else come back as they are",
        arguments: [
            "#a.mp3", "http://x", " a.mp3", "a.mp3 ", "C:a.mp3", "C:\\a.mp3", "a\\b.mp3", "a\nb.mp3", "a\r.mp3",
            "a%20b.mp3", "file:a",
            "\u{FEFF}a", "Re: a.mp3", "é.mp3", "e\u{301}.mp3", "a?b#c.mp3", "\u{2028}", "#", "~",
        ]
    )
    func names(name: String) throws {
        let url = URL(fileURLWithPath: "/music/lists/" + name, isDirectory: false).standardizedFileURL
        let writer = PlaylistWriter(base: Self.base)
        let playlist = Playlist(entries: [PlaylistEntry(url: url)])
        for (data, format) in [(writer.m3u8(playlist), PlaylistFormat.m3u8), (writer.xspf(playlist), .xspf)] {
            let read = try PlaylistReader().playlist(in: data, format: format, base: Self.base)
            #expect(read.entries.count == 1)
            #expect(read.entries.first?.url?.path.utf8.elementsEqual(url.path.utf8) == true, "\(read) \(format)")
        }
    }

    @Test("Any playlist that is written is read again, with every address")
    func roundTrip() {
        let scalars = Array("ab#:/\\ \n\r\t%&<>\"'片é\u{301}\u{FEFF}\u{85}\u{1}-.~?🎵".unicodeScalars)
        func text(_ random: inout SeededGenerator) -> String {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                if let scalar = scalars.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
            }
            return text
        }
        property("playlists written and read", rounds: 2_000) { random in
            var entries: [PlaylistEntry] = []
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let folder = ["/music/lists/", "/music/", "/"].randomElement(using: &random) ?? "/"
                let path = folder + "x" + text(&random) + "x"
                entries.append(
                    PlaylistEntry(
                        url: URL(fileURLWithPath: path, isDirectory: false).standardizedFileURL,
                        title: Bool.random(using: &random) ? text(&random) : nil,
                        artist: Bool.random(using: &random) ? text(&random) : nil,
                        album: Bool.random(using: &random) ? text(&random) : nil
                    )
                )
            }
            let playlist = Playlist(title: text(&random), entries: entries)
            let writer = PlaylistWriter(base: Self.base)
            for (data, format) in [(writer.m3u8(playlist), PlaylistFormat.m3u8), (writer.xspf(playlist), .xspf)] {
                let read = try PlaylistReader().playlist(in: data, format: format, base: Self.base)
                guard read.entries.map({ $0.url?.path ?? "" }) == entries.map({ $0.url?.path ?? "" }) else {
                    return false
                }
            }
            return true
        }
    }

    @Test("Random damage is read or refused, and never ends the program", arguments: PlaylistFormat.allCases)
    func damage(format: PlaylistFormat) {
        let writer = PlaylistWriter(base: Self.base)
        let whole: Data =
            switch format {
            case .m3u, .m3u8: writer.m3u8(Self.sample)
            case .xspf: writer.xspf(Self.sample)
            case .pls: Data("[playlist]\nFile1=a.mp3\nTitle1=é\nLength1=3\nFile2=http://a/b\nNumberOfEntries=2\n".utf8)
            }
        property("damaged \(format.rawValue)", rounds: 2_000) { random in
            var bytes = Array(whole)
            for _ in 0..<Int.random(in: 1...3, using: &random) { bytes = random.mutated(bytes) }
            do {
                let playlist = try PlaylistReader().playlist(in: Data(bytes), format: format, base: Self.base)
                _ = PlaylistWriter(base: Self.base).m3u8(playlist)
                _ = PlaylistWriter(base: Self.base).xspf(playlist)
            } catch {
                return (error as? EarshotError)?.code == .metadataInvalid
            }
            return true
        }
    }
}
