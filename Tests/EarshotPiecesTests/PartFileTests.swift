import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Parts of pieces that are files")
struct PartFileTests {
    @Test("An attachment that is too large is refused by its size, and not read", .requirements("R-PC-066"))
    func size() throws {
        try PackageSamples.withFolder { folder in
            // A terabyte of nothing, which takes no room.
            let file = folder.appendingPathComponent("large.bin")
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 1 << 40)
            try handle.close()
            let error = #expect(throws: EarshotError.self) { try AttachmentBundle(contentsOf: file) }
            #expect(error?.code == .attachmentTooLarge && error?.message.contains("1099511627776") == true)
        }
    }

    @Test("An attachment is read from its file, and from nothing else")
    func attachment() throws {
        try PackageSamples.withFolder { folder in
            let file = folder.appendingPathComponent("project.bin")
            try Data([0, 255, 7]).write(to: file)
            let attachment = try AttachmentBundle(contentsOf: file)
            #expect(attachment.fileName == "project.bin" && attachment.bytes == Data([0, 255, 7]))
            try Data().write(to: file)
            #expect(try AttachmentBundle(contentsOf: file).bytes.isEmpty)
            #expect(PiecePackageTests.code { try AttachmentBundle(contentsOf: folder) } == .assetUnreadable)
            let none = folder.appendingPathComponent("none")
            #expect(PiecePackageTests.code { try AttachmentBundle(contentsOf: none) } == .assetNotFound)
        }
    }

    @Test(
        "Names that join what stands before them are none",
        arguments: ["\u{338}a", "\u{301}", "\u{200D}a", "\u{FE0F}.bin", "\u{903}a", "a/\u{338}b", "\\\u{338}a"]
    )
    func joined(_ name: String) throws {
        #expect(PiecePackageTests.code { try AttachmentBundle(fileName: name, bytes: Data()) } == .pieceInvalid)
        #expect(PiecePackageTests.code { try PieceStem.check(names: [name]) } == .pieceInvalid)
        #expect(try AttachmentBundle(fileName: "e\u{301}", bytes: Data()).fileName == "e\u{301}")
    }
}
