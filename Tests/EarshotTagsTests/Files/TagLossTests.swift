import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation
import TestSupport
import Testing

/// TagLib leaves out in silence what it cannot read, and writes the rest: such files are refused.
@Suite("Tags that TagLib would lose")
struct TagLossTests {
    private func edit() throws -> TagEdit {
        var edit = TagEdit()
        try edit.set("TITLE", to: "Another title, longer than the one before")
        return edit
    }

    /// Writes bytes as a file and expects that its tags are not written, and why.
    private func expectRefusal(_ bytes: [UInt8], _ reason: String, location: SourceLocation = #_sourceLocation) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Data(bytes).write(to: url)
            let error = #expect(throws: EarshotError.self, sourceLocation: location) {
                _ = try TagFile.writeBlocking(edit(), to: url)
            }
            #expect(error?.code == .metadataInvalid, "\(String(describing: error))", sourceLocation: location)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")", sourceLocation: location)
            #expect(try TagFixtures.bytes(url) == bytes, sourceLocation: location)
        }
    }

    private func expectWritten(_ bytes: [UInt8], location: SourceLocation = #_sourceLocation) throws -> TagFile {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Data(bytes).write(to: url)
            return try TagFile.writeBlocking(edit(), to: url)
        }
    }

    // MARK: - ID3v2

    private static func text(_ text: String) -> [UInt8] { [0] + Array(text.utf8) }

    /// A frame of ID3v2.2.
    private static func oldFrame(_ id: String, _ body: [UInt8]) -> [UInt8] {
        Array(id.utf8) + [UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xFF), UInt8(body.count & 0xFF)] + body
    }

    private static func frame(_ id: String, _ body: [UInt8], _ version: UInt8) -> [UInt8] {
        version == 2 ? oldFrame(id, body) : TagFixtures.frame(id, body, version: version)
    }

    @Test(
        "A frame without content, or with a wrong name, keeps what stands behind it",
        arguments: [2, 3, 4] as [UInt8]
    )
    func brokenFrames(_ version: UInt8) throws {
        let (title, comment) = version == 2 ? ("TT2", "TCM") : ("TIT2", "TCOM")
        let behind = Self.frame(comment, Self.text("Somebody"), version)
        let first = Self.frame(title, Self.text("Old"), version)
        let empty = first + Self.frame(version == 2 ? "TP1" : "TPE1", [], version) + behind
        try expectRefusal(TagFixtures.tag([empty], version: version) + TagFixtures.bareMP3(), "the empty ID3v2 frame")
        let wrong = first + Self.frame(version == 2 ? "T?1" : "tp-1", Self.text("x"), version) + behind
        try expectRefusal(TagFixtures.tag([wrong], version: version) + TagFixtures.bareMP3(), "no proper name")
        let long = first + Self.frame(comment, Self.text("Somebody"), version).dropLast(3)
        try expectRefusal(TagFixtures.tag([long], version: version) + TagFixtures.bareMP3(), "breaks off")
        // Without any of these it is written, with the padding that most tags have.
        let whole = [first, behind, [UInt8](repeating: 0, count: 700)]
        let tags = try expectWritten(TagFixtures.tag(whole, version: version) + TagFixtures.bareMP3())
        #expect(tags["COMPOSER"] == ["Somebody"])
    }

    @Test("A second tag behind the first is kept")
    func secondTag() throws {
        let first = TagFixtures.tag([TagFixtures.frame("TIT2", Self.text("Old"))])
        let second = TagFixtures.tag([TagFixtures.frame("TCOM", Self.text("Somebody"))])
        try expectRefusal(first + second + TagFixtures.bareMP3(), "the second of its ID3v2 tags")
    }

    @Test("Something in the padding is kept")
    func padding() throws {
        let frames = [TagFixtures.frame("TIT2", Self.text("Old")), [0, 0, 0], Array("lost".utf8), [0, 0]]
        try expectRefusal(TagFixtures.tag(frames) + TagFixtures.bareMP3(), "padding")
    }

    @Test("Tags of unusual but right form are written: put out of step, with sizes of another version, with a footer")
    func forms() throws {
        let body: [UInt8] = Array("org.example\0".utf8) + [0xFF, 0xE0, 0xFF, 0, 1, 2, 0xFF]
        // Version 2.3, of which the whole tag has zeros put in.
        var stepped: [UInt8] = []
        let frames = [
            TagFixtures.frame("TIT2", Self.text("Old"), version: 3), TagFixtures.frame("PRIV", body, version: 3),
        ]
        for byte in frames.joined() { stepped += byte == 0xFF ? [0xFF, 0] : [byte] }
        var tag = TagFixtures.tag([stepped], version: 3)
        tag[5] = 0x80
        #expect(try expectWritten(tag + TagFixtures.bareMP3()).others.map(\.bytes) == [body])
        // Version 2.4 with a frame whose size is one of version 2.3.
        let long = Array("org.example\0".utf8) + [UInt8](repeating: 7, count: 300)
        let wrong = Array("PRIV".utf8) + [0, 0, UInt8(long.count >> 8), UInt8(long.count & 0xFF), 0, 0] + long
        let sizes = TagFixtures.tag([wrong, TagFixtures.frame("TIT2", Self.text("Old"))])
        #expect(try expectWritten(sizes + TagFixtures.bareMP3()).others.map(\.bytes) == [long])
    }

    // MARK: - APE

    private static func item(_ key: String, _ value: [UInt8], _ flags: UInt8 = 0) -> [UInt8] {
        let size = withUnsafeBytes(of: UInt32(value.count).littleEndian) { Array($0) }
        return size + [flags, 0, 0, 0] + Array(key.utf8) + [0] + value
    }

    private static func ape(_ items: [[UInt8]], count: Int? = nil) -> [UInt8] {
        let numbers = [2_000, UInt32(items.joined().count + 32), UInt32(count ?? items.count), 0].flatMap {
            withUnsafeBytes(of: $0.littleEndian) { Array($0) }
        }
        return items.flatMap(\.self) + Array("APETAGEX".utf8) + numbers + [UInt8](repeating: 0, count: 8)
    }

    @Test("Items of APE with a name twice, a wrong name, another encoding, or behind the count keep the file as it is")
    func ape() throws {
        let bare = try TagFixtures.bareMP3()
        let title = Self.item("Title", Array("Old".utf8))
        let cases: [([UInt8], String)] = [
            (Self.ape([title, Self.item("TITLE", Array("Other".utf8))]), "the second APE item TITLE"),
            (Self.ape([title, Self.item("x", Array("Other".utf8))]), "no proper name"),
            (Self.ape([title, Self.item("Café", Array("Other".utf8))]), "no proper name"),
            (Self.ape([title, Self.item("Note", [0x43, 0xE9])]), "Note, which is not UTF-8"),
            (Self.ape([title, Self.item("Note", Array("Other".utf8))], count: 1), "behind the items"),
            (Self.ape([title], count: 2), "break off"),
        ]
        for (tag, reason) in cases { try expectRefusal(bare + tag, reason) }
        let good = try expectWritten(
            bare + Self.ape([title, Self.item("Note", Array("One\0Two".utf8)), Self.item("Raw", [0, 0xE9], 2)])
        )
        #expect(good["NOTE"] == ["One", "Two"])
    }

    // MARK: - WAV and AIFF

    private static func chunk(_ name: String, _ body: [UInt8], isBig: Bool = false) -> [UInt8] {
        let size = UInt32(body.count)
        return Array(name.utf8) + withUnsafeBytes(of: isBig ? size.bigEndian : size.littleEndian) { Array($0) } + body
            + (body.count % 2 == 1 ? [0] : [])
    }

    /// A file of the fixtures with chunks behind its own, of which a list goes.
    private static func file(_ name: String, _ chunks: [[UInt8]]) throws -> [UInt8] {
        let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
        var data = try Data(contentsOf: fixtures.appendingPathComponent(name))
        if let list = data.range(of: Data("LIST".utf8)) {
            data.removeSubrange(list.lowerBound..<list.upperBound + 4 + Int(data[list.upperBound]))
        }
        var bytes = [UInt8](data) + chunks.flatMap(\.self)
        let size = UInt32(bytes.count - 8)
        bytes.replaceSubrange(
            4..<8,
            with: withUnsafeBytes(of: name.hasSuffix("aiff") ? size.bigEndian : size.littleEndian) { Array($0) }
        )
        return bytes
    }

    @Test("Two ID3 chunks, or a damaged one, keep WAV and AIFF as they are", arguments: ["wav16.wav", "aiff.aiff"])
    func chunks(_ name: String) throws {
        let isBig = name.hasSuffix("aiff")
        func id3(_ frames: [[UInt8]]) -> [UInt8] { Self.chunk("ID3 ", TagFixtures.tag(frames), isBig: isBig) }
        let (title, composer) = (
            TagFixtures.frame("TIT2", Self.text("Old")), TagFixtures.frame("TCOM", Self.text("Somebody"))
        )
        try expectRefusal(Self.file(name, [id3([title]), id3([composer])]), "the second of its ID3v2 tags")
        try expectRefusal(
            Self.file(name, [id3([title, TagFixtures.frame("TPE1", []), composer])]),
            "the empty ID3v2 frame"
        )
        #expect(try expectWritten(Self.file(name, [id3([title, composer])]))["COMPOSER"] == ["Somebody"])
    }

    private static func info(_ fields: [(String, [UInt8])]) -> [UInt8] {
        chunk("LIST", Array("INFO".utf8) + fields.flatMap { chunk($0.0, $0.1 + [0]) })
    }

    @Test("An INFO list in another encoding, twice, or with a field twice keeps the file as it is")
    func brokenInfo() throws {
        let cafe: [UInt8] = [0x43, 0x61, 0x66, 0xE9]
        try expectRefusal(
            Self.file("wav16.wav", [Self.info([("IART", cafe)])]),
            "the INFO field IART, which is not UTF-8"
        )
        let title = ("INAM", Array("Old".utf8))
        try expectRefusal(
            Self.file("wav16.wav", [Self.info([title]), Self.info([title])]),
            "the second of its INFO lists"
        )
        try expectRefusal(Self.file("wav16.wav", [Self.info([title, title])]), "the second INFO field INAM")
    }

    @Test("Of an INFO list only what is wanted changes: dates stay whole, and so do fields that nobody knows")
    func info() throws {
        try withTemporaryFolder { folder in
            let fields = [
                ("INAM", "Old"), ("IART", "Café"), ("ICRD", "2003-05-01"), ("IPRT", "3/12"), ("ICOP", "© Nobody"),
                ("ISFT", "Some program"),
            ]
            let url = folder.appendingPathComponent("a.wav")
            let bytes = try Self.file("wav16.wav", [Self.info(fields.map { ($0.0, Array($0.1.utf8)) })])
            try Data(bytes).write(to: url)
            let before = try TagFile.loadBlocking(url)
            #expect(
                before["DATE"] == ["2003-05-01"] && before["TRACKNUMBER"] == ["3/12"] && before["ARTIST"] == ["Café"]
            )
            #expect(Set(before.others.map(\.name)).isSuperset(of: ["INFO:ICOP", "INFO:ISFT"]))
            let after = try TagFile.writeBlocking(edit(), to: url)
            #expect(after["DATE"] == ["2003-05-01"] && after["ARTIST"] == ["Café"])
            let written = try TagFixtures.bytes(url)
            for (id, value) in fields.dropFirst() {
                let isThere = written.holds(Array(Self.chunk(id, Array(value.utf8) + [0])))
                #expect(isThere, "\(id)")
            }
            let hasTitle = written.holds(
                Self.chunk("INAM", Array("Another title, longer than the one before".utf8) + [0])
            )
            #expect(hasTitle)
            // What has nothing to do with it leaves it alone.
            var other = TagEdit()
            try other.set("COMPOSER", to: "Somebody")
            _ = try TagFile.writeBlocking(other, to: url)
            let list = try #require(Data(written).range(of: Data("INFO".utf8)))
            let isSame = try TagFixtures.bytes(url).holds(Array(written.dropFirst(list.lowerBound).prefix(100)))
            #expect(isSame)
        }
    }

    @Test("Of an ID3v1 tag only what is wanted changes: long comments and unknown genres stay")
    func id3v1() throws {
        func field(_ text: String, _ count: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count)
        }
        let comment = "A comment of exactly 30 letter"
        let tag =
            Array("TAG".utf8) + field("Old", 30) + field("Someone", 30) + field("Disc", 30) + Array("19xx".utf8)
            + field(comment, 30) + [231]
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            try Data(TagFixtures.bareMP3() + tag).write(to: url)
            var edit = TagEdit()
            try edit.set("TITLE", to: "New")
            try edit.set("TRACKNUMBER", to: "7/12")
            _ = try TagFile.writeBlocking(edit, to: url)
            let after = try TagFixtures.bytes(url).suffix(128)
            #expect(after.elementsEqual(Array("TAGNew".utf8) + [UInt8](repeating: 0, count: 27) + tag[33...]))
        }
    }
}
