import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Packages that somebody made to do harm, or damaged")
struct HostilePackageTests {
    private typealias Entry = ZipMaker.Entry

    /// The entries of a package that is all right.
    private static func entries(_ package: PiecePackage? = nil) throws -> [Entry] {
        let reader = try PiecePackageReader(try PiecePackageWriter(try package ?? PackageSamples.whole()).bytes())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [Entry("manifest.json", try encoder.encode(reader.manifest))]
            + (try reader.parts.map { Entry($0.file, try reader.bytes(of: $0)) })
    }

    /// Opens a file and gives the error; where there is none, that is an issue. Nothing may be left beside the file.
    private static func refusal(
        _ bytes: Data,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> EarshotError? {
        try PackageSamples.withFolder { folder in
            let file = folder.appendingPathComponent("a.earpiece")
            try bytes.write(to: file)
            let target = folder.appendingPathComponent("target")
            let error = #expect(throws: EarshotError.self, sourceLocation: location) {
                try PiecePackageReader(file).extract(toFolder: target)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == ["a.earpiece"], sourceLocation: location)
            let inMemory = PiecePackageTests.code { try PiecePackageReader(bytes) }
            #expect(inMemory == error?.code, sourceLocation: location)
            return error
        }
    }

    @Test("What was made here to be right is read")
    func right() throws {
        var entries = try Self.entries()
        let package = try PackageSamples.whole()
        #expect(try PiecePackageReader(ZipMaker(entries: entries).bytes).package() == package)
        // Packed, with sizes behind the data, a folder, and what other programs add.
        entries[1].method = 8
        entries[1].packed = ZipMaker.deflated(entries[1].data)
        entries[1].attributes = 0o100_644 << 16
        var folder = Entry("stems/", [])
        folder.attributes = 0o040_755 << 16
        entries.append(folder)
        let little = PackageSamples.little as (UInt32) -> [UInt8]
        let checksum = little(ZipMaker.checksum(entries[2].data))
        let size = little(UInt32(entries[2].data.count))
        entries[2].flags |= 8
        entries[2].behind = [0x50, 0x4B, 7, 8] + checksum + size + size
        entries[3].extra = [0x55, 0x54, 2, 0, 1, 2]
        #expect(try PiecePackageReader(ZipMaker(entries: entries).bytes).package() == package)
        entries[2].behind = checksum + size + size
        #expect(try PiecePackageReader(ZipMaker(entries: entries).bytes).package() == package)
        entries[2].behind = checksum + size + little(0)
        #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.code == .pieceInvalid)
    }

    @Test(
        "Names that lead out of a folder are refused",
        arguments: [
            "../stem.wav", "/stem.wav", "stems/../../a.wav", "..\\a.wav", "stems\\a.wav", "C:stem.wav", "c:/a.wav",
            "stems//a.wav", "./stem.wav", "stems/.", "..", "", "a\u{0}b", "a\nb",
            // With marks that make one character of a slash and themselves.
            "/\u{338}stem.wav", "../\u{338}stem.wav", "stems/\u{338}/../../a.wav", "stems/../\u{200D}a.wav",
            "..\\\u{338}a.wav", "stems/\u{338}a.wav", "stems/\u{301}.wav", "\u{338}/stem.wav", "\u{FE0F}stem.wav",
            "stems\u{600}/../../a.wav",
            "stems/" + String(repeating: "a", count: 300),
        ]
    )
    func names(_ name: String) throws {
        var entries = try Self.entries()
        entries.append(Entry(name, [1]))
        let error = try Self.refusal(ZipMaker(entries: entries).bytes)
        // By the name itself, and not since it is none of the package.
        #expect(error?.code == .pieceInvalid && error?.message.contains("name") == true)
        #expect(error?.message.contains("manifest") == false)
        // And in place of the mix.
        entries = try Self.entries()
        entries[1].name = Array(name.utf8)
        #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.code == .pieceInvalid)
    }

    @Test("Each lie of a header is refused with the words for it")
    func headers() throws {
        let lies: [(String, (inout ZipMaker) -> Void)] = [
            ("is a link", { $0.entries[1].attributes = 0o120_777 << 16 }),
            ("is a link", { $0.entries[1].attributes = 0o010_644 << 16 }),
            ("is encrypted", { $0.entries[1].flags |= 1 }), ("is encrypted", { $0.entries[1].flags |= 1 << 6 }),
            ("is encrypted", { $0.entries[1].flags |= 1 << 13 }), ("by method 99", { $0.entries[1].method = 99 }),
            ("by method 12", { $0.entries[1].method = 12 }), ("ZIP64", { $0.entries[1].extra = [1, 0, 0, 0] }),
            ("version 45", { $0.entries[1].version = 45 }), ("do not agree", { $0.entries[1].localSize = 7 }),
            ("do not agree", { $0.entries[1].localChecksum = 7 }), ("do not agree", { $0.entries[1].localMethod = 8 }),
            ("do not agree", { $0.entries[1].localName = Array("Stem.wav".utf8) }),
            ("its checksum is another", { $0.entries[1].checksum = 7 }),
            ("two sizes", { $0.entries[1].size = 7 }),
            ("not inside the file", { $0.entries[6].packedSize = 70_000_000 }),
            ("two sizes", { $0.entries[1].packedSize = 7 }),
            (
                "does not follow",
                {
                    $0.entries[1].packedSize = 7
                    $0.entries[1].size = 7
                }
            ),
            ("overlaps", { $0.entries[2].offset = 0 }), ("overlaps", { $0.entries[1].behind = [0] }),
            ("overlaps", { $0.entries[1].isListed = false }),
            ("there are bytes between", { $0.entries[6].behind = [0] }),
            ("there are bytes between", { $0.entries[6].isListed = false }),
            ("is there twice", { $0.entries.append($0.entries[1]) }),
            ("is there twice", { $0.entries.append(Entry("STEM.WAV", [1])) }),
            ("not in its manifest", { $0.entries.append(Entry("other.wav", [1])) }),
            ("not in its manifest", { $0.entries.append(Entry("other/", [])) }),
            ("has bytes", { $0.entries.append(Entry("stems/", [1])) }),
            (
                "has bytes",
                {
                    var folder = Entry("stems/", [])
                    (folder.method, folder.packed) = (8, Array("hidden".utf8))
                    $0.entries.append(folder)
                }
            ),
            (
                "is packed",
                {
                    var folder = Entry("attachment/", [])
                    folder.method = 8
                    $0.entries.append(folder)
                }
            ),
            ("and not in the file", { $0.entries.remove(at: 2) }), ("first entry", { $0.entries.swapAt(0, 1) }),
            ("first entry", { $0.entries = [] }), ("comment", { $0.comment = [1] }), ("comment", { $0.behind = [0] }),
            ("its directory", { $0.directoryOffset = 3 }), ("more bytes than entries", { $0.count = 3 }),
            ("directory is damaged", { $0.count = 60 }), ("10000 entries", { $0.count = 10_000 }),
            (
                "its directory has 12",
                {
                    for number in 0..<20 {
                        var entry = Entry("more\(number)", [])
                        entry.extra = [UInt8](repeating: 0, count: 60_000)
                        $0.entries.append(entry)
                    }
                }
            ),
            ("ZIP64", { $0.count = 0xFFFF }), ("not in UTF-8", { $0.entries[1].name = [0xFF, 0xFE] }),
            ("not in UTF-8", { $0.entries[4].flags = 0 }),
            ("two names", { $0.entries[1].extra = [0x75, 0x70, 6, 0, 1, 0, 0, 0, 0, 65] }),
            ("extra fields", { $0.entries[1].extra = [0x75, 0x70, 60, 0] }),
            ("is damaged", { $0.entries[1].method = 8 }),
            (
                "to more than it says",
                {
                    $0.entries[1].method = 8
                    $0.entries[1].packed = ZipMaker.deflated($0.entries[1].data + [0])
                }
            ),
            (
                "to less than it says",
                {
                    $0.entries[1].method = 8
                    $0.entries[1].packed = ZipMaker.deflated(Array($0.entries[1].data.dropLast()))
                }
            ),
            (
                "behind its end",
                {
                    $0.entries[1].method = 8
                    $0.entries[1].packed = ZipMaker.deflated($0.entries[1].data) + [0]
                }
            ),
            (
                "ends early",
                {
                    $0.entries[1].method = 8
                    $0.entries[1].packed = ZipMaker.deflated($0.entries[1].data).dropLast()
                }
            ),
            ("not what the manifest says", { $0.entries[1].data[50] ^= 1 }),
        ]
        for (number, (words, lie)) in lies.enumerated() {
            var zip = ZipMaker(entries: try Self.entries())
            lie(&zip)
            let error = try Self.refusal(zip.bytes)
            #expect(error?.code == .pieceInvalid, "\(number)")
            #expect(error?.message.contains(words) == true, "\(number): \(String(describing: error))")
        }
    }

    @Test("Each fault of a manifest is refused with the words for it")
    func manifests() throws {
        let faults: [(EarshotError.Code, String, String, String)] = [
            (.pieceInvalid, "no JSON object", "{", "["), (.pieceInvalid, "no JSON object", #""version":1"#, #""x":1"#),
            (.pieceInvalid, "of the format \"other\"", "earshot-piece", "other"),
            (.pieceInvalid, "version 2", #""version":1"#, #""version":2"#),
            (.pieceInvalid, "no JSON object", #""version":1"#, #""version":"1""#),
            (.pieceInvalid, "piece.length is of another type", #""length":500000"#, #""length":"long""#),
            (.pieceInvalid, "piece.length is missing", #""length":500000,"#, ""),
            (.pieceInvalid, "createdAt cannot be so", #""createdAt":"2"#, #""createdAt":"x"#),
            (.pieceInvalid, "is not where", #""file":"stem.wav""#, #""file":"../a.wav""#),
            (.pieceInvalid, "is not where", #""file":"stem.wav""#, #""file":"stems/Drums.wav""#),
            (.pieceInvalid, "is not where", #""name":"Drums""#, #""name":"../Drums""#),
            (.pieceInvalid, "by the manifest", #""size":8044"#, #""size":8045"#),
            (.pieceInvalid, "below zero", #""size":8044"#, #""size":-1"#),
            (.pieceInvalid, "are allowed", #""size":8044"#, #""size":1000000001"#),
            (.attachmentTooLarge, "30000001", #""size":3}"#, #""size":30000001}"#),
            (.pieceInvalid, "64 hexadecimal", #""sha256":""#, #""sha256":"X"#),
            (.pieceInvalid, "media type", #""mediaType":"audio/wav""#, #""mediaType":"audio/x""#),
            (.pieceInvalid, "is not where", #""name":"Drums","#, ""),
            (.pieceInvalid, "is not where", #""kind":"preview""#, #""kind":"stem""#),
            (.pieceInvalid, "parts.0.kind cannot be so", #""kind":"stem""#, #""kind":"other""#),
            (.pieceInvalid, "root", #""root":9"#, #""root":12"#),
        ]
        for (number, (code, words, old, new)) in faults.enumerated() {
            var entries = try Self.entries()
            let text = String(decoding: entries[0].data, as: UTF8.self)
            let range = try #require(text.range(of: old), "\(number): \(text)")
            entries[0].data = Array(text.replacingCharacters(in: range, with: new).utf8)
            let error = try Self.refusal(ZipMaker(entries: entries).bytes)
            #expect(error?.code == code, "\(number)")
            #expect(error?.message.contains(words) == true, "\(number): \(String(describing: error))")
        }
        var entries = try Self.entries()
        entries[0].data = [UInt8](repeating: 32, count: PiecePackage.maximumManifestSize + 1)
        #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.message.contains("1048576") == true)
        entries[0].data = [UInt8](repeating: UInt8(ascii: "["), count: 500_000)
        #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.code == .pieceInvalid)
    }

    @Test("A package without a mix stem, and one whose draft has three faults")
    func drafts() throws {
        var entries = try Self.entries(try PackageSamples.small())
        var text = String(decoding: entries[0].data, as: UTF8.self)
        let parts = try #require(text.range(of: #""parts":\[.*?\],"piece""#, options: .regularExpression))
        text.replaceSubrange(parts, with: #""parts":[],"piece""#)
        entries = [Entry("manifest.json", Array(text.utf8))]
        #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.code == .stemMissing)

        entries = try Self.entries()
        text = String(decoding: entries[0].data, as: UTF8.self)
            .replacingOccurrences(of: #""title":"Night loop""#, with: #""title":"""#)
            .replacingOccurrences(of: #""tempo":120"#, with: #""tempo":1000"#)
            .replacingOccurrences(of: #""upper":4"#, with: #""upper":17"#)
        entries[0].data = Array(text.utf8)
        let error = try Self.refusal(ZipMaker(entries: entries).bytes)
        #expect(error?.code == .pieceInvalid)
        for words in ["title", "1000", "17 over 4"] { #expect(error?.message.contains(words) == true) }
    }

    @Test("Sound and cover have to begin as they are said to", .requirements("R-PC-069", "R-PC-062"))
    func begins() throws {
        var package = try PackageSamples.small()
        package.cover = try CoverImage(PackageSamples.png())
        for (place, data, code) in [
            (1, Array("This is no sound, although it is as long as it was before..".utf8), .pieceInvalid),
            (2, Array(PackageSamples.png(side: 639)), .coverSizeInvalid),
        ] as [(Int, [UInt8], EarshotError.Code)] {
            // With size and digest as the manifest of the writer has them for these bytes.
            var entries = try Self.entries(package)
            let old = entries[place].data
            var other = try PackageSamples.small()
            other.attachment = try AttachmentBundle(fileName: "a", bytes: Data(data))
            let digests = try PiecePackageWriter(other).manifest.part(.attachment)
            other.attachment = try AttachmentBundle(fileName: "a", bytes: Data(old))
            let before = try PiecePackageWriter(other).manifest.part(.attachment)
            let text = String(decoding: entries[0].data, as: UTF8.self)
                .replacingOccurrences(of: before?.sha256 ?? "", with: digests?.sha256 ?? "")
                .replacingOccurrences(of: #""size":\#(old.count)"#, with: #""size":\#(data.count)"#)
            entries[0].data = Array(text.utf8)
            entries[place].data = data
            #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.code == code)
        }
    }

    @Test("An attachment of 30,000,001 bytes is refused before it is read", .requirements("R-PC-066"))
    func attachment() throws {
        var entries = try Self.entries()
        entries[4].data = [UInt8](repeating: 0, count: AttachmentBundle.maximumSize + 1)
        // Taking the checksum of so much takes longer than the test.
        entries[4].checksum = 0
        #expect(try Self.refusal(ZipMaker(entries: entries).bytes)?.code == .attachmentTooLarge)
    }

    @Test(
        "What unpacks to much more than it is, is refused before it is unpacked, or as soon as it is more than it says"
    )
    func bombs() throws {
        var entries = try Self.entries()
        entries[1].method = 8
        entries[1].packed = Self.bomb(matches: 4_000)
        entries[1].checksum = 0
        // What it says is the truth, and too much.
        entries[1].size = 900_000_000
        var error = try Self.refusal(ZipMaker(entries: entries).bytes)
        #expect(error?.message.contains("more than 100 times") == true)
        // It says less than it is.
        entries[1].size = 8_044
        error = try Self.refusal(ZipMaker(entries: entries).bytes)
        #expect(error?.message.contains("more than it says") == true)
        // Many that are allowed each.
        entries = try Self.entries()
        for number in 0..<8 {
            var entry = Entry("bomb\(number)", [])
            (entry.method, entry.packed, entry.size) = (8, Self.bomb(matches: 10), 999_999_999)
            entries.append(entry)
        }
        error = try Self.refusal(ZipMaker(entries: entries).bytes)
        #expect(error?.message.contains("are allowed") == true)
    }

    /// A stream of deflate that gives 258 zeros for each 13 bits.
    private static func bomb(matches: Int) -> [UInt8] {
        var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<matches { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
        bits += [UInt8](repeating: 0, count: 16)
        return stride(from: 0, to: bits.count - 7, by: 8).map { place in
            (0..<8).reduce(0) { $0 | bits[place + $1] << UInt8($1) }
        }
    }

    @Test("An archive in a package is an attachment like any other")
    func nested() throws {
        let inner = try PiecePackageWriter(try PackageSamples.whole()).bytes()
        var package = try PackageSamples.small()
        package.attachment = try AttachmentBundle(fileName: "inner.earpiece", bytes: inner)
        let reader = try PiecePackageReader(try PiecePackageWriter(package).bytes())
        #expect(try reader.attachment()?.bytes == inner)
    }

    @Test("A package that is cut anywhere is refused")
    func truncated() throws {
        let bytes = try PiecePackageWriter(try PackageSamples.small()).bytes()
        for count in 0..<bytes.count {
            #expect(PiecePackageTests.code { try PiecePackageReader(bytes.prefix(count)) } == .pieceInvalid, "\(count)")
        }
        let packed = ZipMaker(
            entries: try Self.entries(try PackageSamples.small()).map { entry in
                var entry = entry
                (entry.method, entry.packed) = (8, ZipMaker.deflated(entry.data))
                return entry
            }
        ).bytes
        #expect(try PiecePackageReader(packed).package() == PackageSamples.small())
        for count in 0..<packed.count {
            #expect(
                PiecePackageTests.code { try PiecePackageReader(packed.prefix(count)) } == .pieceInvalid,
                "\(count)"
            )
        }
    }

    @Test("Of a package that is changed anywhere, nothing is given out that was not in it")
    func mutated() throws {
        var package = try PackageSamples.small()
        package.attachment = try AttachmentBundle(fileName: "a", bytes: Data([1, 2, 3]))
        let plain = try PiecePackageWriter(package).bytes()
        let packed = ZipMaker(
            entries: try Self.entries(package).map { entry in
                var entry = entry
                (entry.method, entry.packed) = (8, ZipMaker.deflated(entry.data))
                return entry
            }
        ).bytes
        property("changed packages", rounds: 1_500) { generator in
            let bytes = generator.mutated([UInt8](Bool.random(using: &generator) ? plain : packed))
            do {
                // What does not count may have changed: times, and who made it.
                let reader = try PiecePackageReader(Data(bytes))
                let read = try reader.package()
                return read == package
            } catch let error as EarshotError {
                return [.pieceInvalid, .stemMissing, .attachmentTooLarge].contains(error.code)
            }
        }
    }
}
