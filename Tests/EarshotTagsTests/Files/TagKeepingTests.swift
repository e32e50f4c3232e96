import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation
import TestSupport
import Testing

@Suite("What writing tags keeps")
struct TagKeepingTests {
    private static let secret: [UInt8] = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    private func edit() throws -> TagEdit {
        var edit = TagEdit()
        try edit.set("TITLE", to: "Another title, longer than the one before")
        return edit
    }

    @Test("Private and unknown frames of ID3 stay byte for byte", arguments: [3, 4] as [UInt8])
    func frames(_ version: UInt8) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            let object =
                [0] + Array("application/x-thing\0name.bin\0what\0".utf8) + Self.secret
            let frames = [
                ("TIT2", [0] + Array("Title".utf8)), ("PRIV", Array("org.example\0".utf8) + Self.secret),
                ("GEOB", object), ("XYZW", Self.secret), ("PCNT", [0, 0, 1, 2]),
                ("POPM", Array("a@example.org\0".utf8) + [196, 0, 0, 0, 9]),
                ("COMM", [0] + Array("engThe same\0in English".utf8)),
                ("COMM", [0] + Array("deuThe same\0auf Deutsch".utf8)),
                ("COMM", [0] + Array("eng\0plain".utf8)), ("COMM", [0] + Array("fra\0clair".utf8)),
                ("USLT", [0] + Array("jpn\0words".utf8)),
            ]
            let tag = TagFixtures.tag(frames.map { TagFixtures.frame($0.0, $0.1, version: version) }, version: version)
            try Data(tag + TagFixtures.bareMP3()).write(to: url)
            let before = try TagFile.loadBlocking(url)
            #expect(Set(before.others.map(\.name)).isSuperset(of: ["PRIV", "GEOB", "XYZW", "PCNT", "POPM"]))
            let after = try TagFile.writeBlocking(edit(), to: url)
            #expect(Set(after.others) == Set(before.others))
            let bytes = try TagFixtures.bytes(url)
            // Languages too, which properties do not show.
            for (id, body) in frames.dropFirst() { #expect(bytes.holds(body), "\(id)") }
        }
    }

    @Test("Frames that ID3v2.4 has no more are named beforehand, and go")
    func obsolete() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            let frames = [("TSIZ", [0] + Array("12345".utf8)), ("TIT2", [0] + Array("T".utf8))]
            let tag = TagFixtures.tag(frames.map { TagFixtures.frame($0.0, $0.1, version: 3) }, version: 3)
            try Data(tag + TagFixtures.bareMP3()).write(to: url)
            #expect(try TagFile.loadBlocking(url).others.filter(\.isObsolete).map(\.name) == ["TSIZ"])
            #expect(try TagFile.writeBlocking(edit(), to: url).others.isEmpty)
        }
    }

    @Test("A file with an encrypted frame is left as it is")
    func encrypted() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            var frame = TagFixtures.frame("PRIV", [1] + Self.secret)
            frame[9] = 0x04
            let bytes = TagFixtures.tag([frame]) + (try TagFixtures.bareMP3())
            try Data(bytes).write(to: url)
            let error = #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: url) }
            #expect(error?.code == .metadataInvalid)
            #expect(try TagFixtures.bytes(url) == bytes)
        }
    }

    @Test("A free item of MP4 that nobody knows stays byte for byte")
    func freeItem() throws {
        try TagFixtures.withCopies(["tagged.m4a"]) { urls in
            var own = TagEdit()
            try own.set("UNKNOWNTHING", to: "some value")
            _ = try TagFile.writeBlocking(own, to: urls[0])
            // Of another owner, with a type of data that is no text.
            var data = try Data(contentsOf: urls[0])
            let name = try #require(data.range(of: Data("UNKNOWNTHING".utf8)))
            let owner = try #require(
                data[..<name.lowerBound].range(of: Data("com.apple.iTunes".utf8), options: .backwards)
            )
            data.replaceSubrange(owner, with: Data("org.example.test".utf8))
            let item = try #require(data[name.upperBound...].range(of: Data("data".utf8)))
            data[item.upperBound + 3] = 0
            try data.write(to: urls[0])
            let before = try TagFile.loadBlocking(urls[0])
            let other = try #require(before.others.first { $0.name == "----:org.example.test:UNKNOWNTHING" })
            let after = try TagFile.writeBlocking(edit(), to: urls[0])
            #expect(after.others == before.others)
            #expect(try TagFixtures.bytes(urls[0]).holds(other.bytes))
        }
    }

    @Test("An item of MP4 that TagLib would drop keeps the file from being written")
    func unsafeItem() throws {
        try TagFixtures.withCopies(["tagged.m4a"]) { urls in
            var data = try Data(contentsOf: urls[0])
            let comment = try #require(data.range(of: Data([0xA9] + Array("cmt".utf8))))
            data.replaceSubrange(comment, with: Data("abcd".utf8))
            // A type of data that is no text.
            data[comment.upperBound + 11] = 0
            try data.write(to: urls[0])
            let error = #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: urls[0]) }
            #expect(error?.code == .metadataInvalid && error?.message.contains("abcd") == true)
            #expect(try Data(contentsOf: urls[0]) == data)
        }
    }

    @Test("Unknown keys of Vorbis comments stay", arguments: ["chirp.flac", "tagged.ogg", "chirp.opus"])
    func comments(_ name: String) throws {
        try TagFixtures.withCopies([name]) { urls in
            var own = TagEdit()
            try own.set("X-UNKNOWN KEY}", to: ["  with = signs and\nlines ", "二"])
            _ = try TagFile.writeBlocking(own, to: urls[0])
            let after = try TagFile.writeBlocking(edit(), to: urls[0])
            #expect(after["X-UNKNOWN KEY}"] == ["  with = signs and\nlines ", "二"])
            #expect(try TagFixtures.bytes(urls[0]).holds(Array("X-UNKNOWN KEY}=  with = signs and\nlines ".utf8)))
        }
    }

    @Test("Comments that are no UTF-8 keep the file from being written, lest they be lost")
    func badComments() throws {
        try TagFixtures.withCopies(["tagged.ogg", "chirp.flac"]) { urls in
            for url in urls {
                var own = TagEdit()
                try own.set("OLDNAME", to: "Café")
                _ = try TagFile.writeBlocking(own, to: url)
                var data = try Data(contentsOf: url)
                let place = try #require(data.range(of: Data("OLDNAME=Caf".utf8)))
                data[place.upperBound] = 0xE9
                data[place.upperBound + 1] = 0x20
                try data.write(to: url)
                let error = #expect(throws: EarshotError.self) { _ = try TagFile.writeBlocking(edit(), to: url) }
                #expect(error?.code == .metadataInvalid && error?.message.contains("OLDNAME") == true)
                #expect(try Data(contentsOf: url) == data)
            }
        }
    }

    @Test("Other blocks of FLAC stay")
    func blocks() throws {
        try TagFixtures.withCopies(["chirp.flac"]) { urls in
            var bytes = try TagFixtures.bytes(urls[0])
            // Behind STREAMINFO, which has 34 bytes and is first.
            let application = [2, 0, UInt8((Self.secret.count + 4) >> 8), UInt8((Self.secret.count + 4) & 0xFF)]
            bytes.insert(contentsOf: application + Array("test".utf8) + Self.secret, at: 42)
            try Data(bytes).write(to: urls[0])
            _ = try TagFile.writeBlocking(edit(), to: urls[0])
            #expect(try TagFixtures.bytes(urls[0]).holds(Array("test".utf8) + Self.secret))
        }
    }

    @Test("What an MP3 has in an APE tag only is kept when it gets ID3, and both then say the same")
    func apeInMP3() throws {
        try withTemporaryFolder { folder in
            func item(_ key: String, _ value: [UInt8], _ flags: UInt8 = 0) -> [UInt8] {
                let size = withUnsafeBytes(of: UInt32(value.count).littleEndian) { Array($0) }
                return size + [flags, 0, 0, 0] + Array(key.utf8) + [0] + value
            }
            let picture = TagFixtures.picture(500)
            let items = [
                item("Title", Array("Old".utf8)), item("Artist", Array("One\0Two".utf8)),
                item("Cover Art (Front)", Array("cover.png\0".utf8) + picture, 2), item("Secret", Self.secret, 2),
            ]
            let count = UInt32(items.joined().count + 32)
            let numbers = [2_000, count, UInt32(items.count), 0].flatMap {
                withUnsafeBytes(of: $0.littleEndian) { Array($0) }
            }
            let tag = items.flatMap(\.self) + Array("APETAGEX".utf8) + numbers + [UInt8](repeating: 0, count: 8)
            let url = folder.appendingPathComponent("a.mp3")
            try Data(TagFixtures.bareMP3() + tag).write(to: url)
            #expect(try TagFile.loadBlocking(url)["ARTIST"] == ["One", "Two"])
            let after = try TagFile.writeBlocking(edit(), to: url)
            #expect(after["ARTIST"] == ["One", "Two"] && after.pictures.map(\.bytes) == [picture])
            let bytes = try TagFixtures.bytes(url)
            #expect(bytes.starts(with: Array("ID3".utf8)) && bytes.holds(Self.secret))
            let isSame = bytes.holds(Array("TITLE\0Another title".utf8))
            #expect(isSame)
        }
    }

    @Test("A binary item of APE that nobody knows stays byte for byte")
    func binaryItem() throws {
        try TagFixtures.withCopies(["chirp.wv"]) { urls in
            var own = TagEdit()
            try own.set("UNKNOWNTHING", to: "some value")
            _ = try TagFile.writeBlocking(own, to: urls[0])
            var data = try Data(contentsOf: urls[0])
            let name = try #require(data.range(of: Data("UNKNOWNTHING\0".utf8)))
            data[name.lowerBound - 4] = 2
            try data.write(to: urls[0])
            let before = try TagFile.loadBlocking(urls[0])
            #expect(before.others.map(\.name) == ["UNKNOWNTHING"])
            #expect(try TagFile.writeBlocking(edit(), to: urls[0]).others == before.others)
            #expect(try Data(contentsOf: urls[0]).range(of: Data("UNKNOWNTHING\0some value".utf8)) != nil)
        }
    }

    @Test("Chunks of WAV and AIFF stay", arguments: ["wav16.wav", "aiff.aiff"])
    func chunks(_ name: String) throws {
        try TagFixtures.withCopies([name]) { urls in
            var bytes = try TagFixtures.bytes(urls[0])
            let isBig = name.hasSuffix("aiff")
            func size(_ count: Int) -> [UInt8] {
                let number = UInt32(count)
                return withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian) { Array($0) }
            }
            // Of an odd size, with the byte that evens it.
            let chunk = Array("junk".utf8) + size(299) + Self.secret.dropLast() + [0]
            bytes += chunk
            bytes.replaceSubrange(4..<8, with: size(bytes.count - 8))
            try Data(bytes).write(to: urls[0])
            _ = try TagFile.writeBlocking(edit(), to: urls[0])
            #expect(try TagFixtures.bytes(urls[0]).holds(chunk))
        }
    }
}
