import EarshotCore
import EarshotLibrary
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Items of a library")
struct MusicItemTests {
    @Test(
        "What is absent is nil, never an empty text",
        arguments: ["", " \n", "\u{3000}", "\u{200B}\u{FEFF}", "\u{0}"]
    )
    func absent(text: String) {
        var item = MusicItem(id: ItemID(rawValue: "a"), title: text, artist: text, trackNumber: 0, duration: .zero)
        #expect(item == MusicItem(id: ItemID(rawValue: "a")))
        (item.album, item.albumArtist, item.composer, item.genre) = (text, text, text, text)
        (item.discNumber, item.year, item.duration) = (-1, 0, .indefinite)
        #expect(item == MusicItem(id: ItemID(rawValue: "a")))
    }

    @Test("Texts of signs only are there", arguments: ["!!!", "÷", "…", "👩‍🚀"])
    func present(text: String) {
        #expect(MusicItem(id: ItemID(rawValue: "a"), title: text).title == text)
    }

    @Test("Texts in any script are kept and written byte for byte", .requirements("R-MR-118"))
    func scripts() throws {
        for item in LibrarySamples.mixedAlbum {
            let read = try JSONDecoder().decode(MusicItem.self, from: JSONEncoder().encode(item))
            #expect(read == item)
            #expect(try Array(#require(read.title).utf8) == Array(#require(item.title).utf8))
        }
        let kept = LibraryIndex(LibrarySamples.all).items.compactMap(\.title)
        for title in [LibrarySamples.theme, LibrarySamples.advent] {
            #expect(kept.contains { Array($0.utf8) == Array(title.utf8) })
        }
    }

    @Test("Every property is written and read, and an empty text is read as absent")
    func codable() throws {
        let item = MusicItem(
            id: ItemID(rawValue: "a"),
            assetURL: URL(string: "file:///a.mp3"),
            kind: MediaKind(rawValue: "ringtone"),
            title: "T",
            artist: "A",
            album: "L",
            albumArtist: "B",
            albumID: "x",
            composer: "C",
            genre: "G",
            discNumber: 1,
            trackNumber: 2,
            year: 1999,
            duration: MediaTime(value: 10, timescale: 1)
        )
        #expect(try JSONDecoder().decode(MusicItem.self, from: JSONEncoder().encode(item)) == item)
        let short = Data(#"{"id":"a","title":""}"#.utf8)
        #expect(try JSONDecoder().decode(MusicItem.self, from: short) == MusicItem(id: ItemID(rawValue: "a")))
    }

    @Test("An item without asset gives an error and nothing else", .requirements("R-MR-006"))
    func unavailable() throws {
        #expect { try MusicItem(id: ItemID(rawValue: "a"), title: "Song").requireAsset() } throws: { error in
            let error = error as? EarshotError
            return error?.code == .assetUnavailable && error?.message.contains("Song") == true
        }
        let url = try #require(URL(string: "file:///a.mp3"))
        #expect(try MusicItem(id: ItemID(rawValue: "a"), assetURL: url).requireAsset() == url)
    }
}
