import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation
import TestSupport
import Testing

@Suite("Writing tags")
struct TagRoundTripTests {
    static let title = "夜の音 “Earshot” é\u{301} 🎧"

    @Test("What is written is read back, and the sound stays", arguments: TagFixtures.all)
    func roundTrip(_ name: String) throws {
        try TagFixtures.withCopies([name]) { urls in
            let url = urls[0]
            let sound = try [AudioDigest.Content.packets, .samples].map { try AudioDigest.blocking(url, $0) }
            let before = try TagFile.loadBlocking(url)
            var edit = TagEdit()
            try edit.set("title", to: Self.title)
            try edit.set("ARTIST", to: ["Ünø", "二", "Three"])
            try edit.set("ALBUMARTIST", to: "Various")
            try edit.set("TRACKNUMBER", to: "7/12")
            try edit.set("DISCNUMBER", to: "2/3")
            try edit.set("DATE", to: "2024-05-01")
            try edit.set("GENRE", to: ["Rock", "Something Of My Own"])
            try edit.set("COMPOSER", to: "Nobody")
            try edit.set("MUSICBRAINZ_TRACKID", to: "6d1d8b8e-2d8c-4a53-9d0b-0a1b2c3d4e5f")
            try edit.set("MUSICBRAINZ_ALBUMID", to: "00000000-2d8c-4a53-9d0b-0a1b2c3d4e5f")
            try edit.set("ACOUSTID_ID", to: "11111111-2d8c-4a53-9d0b-0a1b2c3d4e5f")
            try edit.set("MY OWN KEY", to: ["one", "two"])
            var options = TagFile.WritingOptions()
            options.verifiesSamples = true
            let written = try TagFile.writeBlocking(edit, to: url, options: options)
            let read = try TagFile.loadBlocking(url)
            #expect(read == written)
            #expect(read["Title"] == [Self.title])
            #expect(read["ARTIST"] == ["Ünø", "二", "Three"])
            #expect(read["TRACKNUMBER"] == ["7/12"])
            #expect(read["MUSICBRAINZ_TRACKID"] == ["6d1d8b8e-2d8c-4a53-9d0b-0a1b2c3d4e5f"])
            #expect(read["MY OWN KEY"] == ["one", "two"])
            for (key, values) in before.properties where edit.properties[key] == nil { #expect(read[key] == values) }
            #expect(read.container == before.container)
            #expect(sound == [try AudioDigest.blocking(url), try AudioDigest.blocking(url, .samples)])
            // FFmpeg, too, finds the title.
            #expect(try Asset.loadBlocking(url).tags.title == Self.title)
            #expect(try TagFixtures.names(url.deletingLastPathComponent()) == [name])
        }
    }

    @Test("Kinds of files for which there is no encoder are written too", arguments: [TagContainer.ape, .musepack])
    func withoutEncoder(_ container: TagContainer) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a")
            let bytes = container == .ape ? TagFixtures.monkeysAudio : TagFixtures.musepack
            try Data(bytes).write(to: url)
            let sound = try AudioDigest.blocking(url)
            var edit = TagEdit()
            try edit.set("TITLE", to: Self.title)
            try edit.set("ARTIST", to: ["One", "Two"])
            try edit.set("TRACKNUMBER", to: "3/12")
            edit.set(TagPicture(bytes: TagFixtures.picture(500)))
            var read = try TagFile.writeBlocking(edit, to: url)
            #expect(read.container == container)
            #expect(
                read["TITLE"] == [Self.title] && read["ARTIST"] == ["One", "Two"] && read["TRACKNUMBER"] == ["3/12"]
            )
            #expect(read.pictures.map(\.bytes) == [TagFixtures.picture(500)])
            #expect(try TagFixtures.bytes(url).starts(with: bytes))
            #expect(try AudioDigest.blocking(url) == sound)
            // Longer or shorter tags are no other sound, and one other byte is.
            edit.removePictures()
            read = try TagFile.writeBlocking(edit, to: url)
            #expect(read.pictures.isEmpty)
            #expect(try AudioDigest.blocking(url) == sound)
            var changed = try TagFixtures.bytes(url)
            changed[bytes.count - 20] ^= 1
            try Data(changed).write(to: url)
            #expect(try AudioDigest.blocking(url) != sound)
        }
    }

    @Test("An emptied property is gone, and the others stay", arguments: TagFixtures.all)
    func removal(_ name: String) throws {
        try TagFixtures.withCopies([name]) { urls in
            var edit = TagEdit()
            try edit.set("TITLE", to: "T")
            try edit.set("ALBUM", to: "A")
            try edit.set("MY OWN KEY", to: "x")
            _ = try TagFile.writeBlocking(edit, to: urls[0])
            var removal = TagEdit()
            removal.remove("album")
            try removal.set("MY OWN KEY", to: [""])
            let read = try TagFile.writeBlocking(removal, to: urls[0])
            #expect(read["ALBUM"] == [] && read["MY OWN KEY"] == [] && read["TITLE"] == ["T"])
            #expect(try Asset.loadBlocking(urls[0]).tags.album == nil)
        }
    }

    @Test("Pictures of one kind are replaced, others stay", arguments: TagFixtures.all)
    func pictures(_ name: String) throws {
        try TagFixtures.withCopies([name]) { urls in
            let sound = try AudioDigest.blocking(urls[0])
            // Larger than a page of Ogg, so that all pages behind get other numbers.
            let (front, back, other) = (
                TagFixtures.picture(100_000), TagFixtures.picture(900, seed: 2), TagFixtures.picture()
            )
            let isMP4 = try TagFile.loadBlocking(urls[0]).container == .mp4
            var edit = TagEdit()
            edit.set(TagPicture(bytes: front, text: isMP4 ? "" : "Vorne"))
            if !isMP4 { edit.set(TagPicture(kind: .backCover, bytes: back)) }
            var read = try TagFile.writeBlocking(edit, to: urls[0])
            #expect(read.pictures.first { $0.kind == .frontCover }?.bytes == front)
            #expect(read.pictures.first { $0.kind == .frontCover }?.mimeType == "image/png")
            #expect(read.pictures.count { $0.kind == .frontCover } == 1)
            var again = TagEdit()
            again.set(TagPicture(bytes: other))
            read = try TagFile.writeBlocking(again, to: urls[0])
            #expect(read.pictures.first { $0.kind == .frontCover }?.bytes == other)
            #expect(isMP4 || read.pictures.first { $0.kind == .backCover }?.bytes == back)
            #expect(try Asset.loadBlocking(urls[0]).artwork?.bytes == other || name.hasSuffix(".wv"))
            var none = TagEdit()
            none.removePictures()
            #expect(try TagFile.writeBlocking(none, to: urls[0]).pictures.isEmpty)
            #expect(try AudioDigest.blocking(urls[0]) == sound)
        }
    }

    @Test("ID3 is written as version 2.4, and no ID3v1 tag is made")
    func versions() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            let old = TagFixtures.tag([TagFixtures.frame("TYER", [0] + Array("1999".utf8), version: 3)], version: 3)
            try Data(old + TagFixtures.bareMP3()).write(to: url)
            var edit = TagEdit()
            try edit.set("TITLE", to: "T")
            let read = try TagFile.writeBlocking(edit, to: url)
            #expect(read["DATE"] == ["1999"])
            let bytes = try TagFixtures.bytes(url)
            #expect(bytes[3] == 4)
            #expect(!bytes.suffix(128).starts(with: Array("TAG".utf8)))
        }
    }

    @Test("An ID3v1 tag that is there is brought up to date, and what only it says is kept")
    func oldTag() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            func field(_ text: String, _ count: Int) -> [UInt8] {
                Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
            }
            let tag =
                Array("TAG".utf8) + field("Old", 30) + field("Someone", 30) + field("Disc", 30) + field("1980", 4)
                + field("", 30) + [17]
            try Data(TagFixtures.bareMP3() + tag).write(to: url)
            #expect(try TagFile.loadBlocking(url)["ARTIST"] == ["Someone"])
            var edit = TagEdit()
            try edit.set("TITLE", to: "New")
            let read = try TagFile.writeBlocking(edit, to: url)
            #expect(read["TITLE"] == ["New"] && read["ARTIST"] == ["Someone"] && read["ALBUM"] == ["Disc"])
            #expect(try TagFixtures.bytes(url).suffix(128).starts(with: Array("TAGNew".utf8)))
        }
    }

    @Test("A file that already is as wanted is not touched", arguments: ["tagged.mp3", "tagged.ogg", "tagged.m4a"])
    func unchanged(_ name: String) throws {
        try TagFixtures.withCopies([name]) { urls in
            var before = stat()
            #expect(stat(urls[0].path, &before) == 0)
            var edit = TagEdit()
            try edit.set("ALBUM", to: "テストの歌")
            edit.remove("SOMETHING ELSE")
            _ = try TagFile.writeBlocking(edit, to: urls[0])
            var after = stat()
            #expect(stat(urls[0].path, &after) == 0)
            #expect(before.st_ino == after.st_ino)
        }
    }

    @Test("Names and values that no tag can hold are refused")
    func refusedNames() {
        var edit = TagEdit()
        #expect(throws: EarshotError.self) { try edit.set("A=B", to: "x") }
        #expect(throws: EarshotError.self) { try edit.set("", to: "x") }
        #expect(throws: EarshotError.self) { try edit.set("TITEL É", to: "x") }
        #expect(throws: EarshotError.self) { try edit.set("TITLE", to: "a\0b") }
        #expect(edit.isEmpty)
    }
}
