import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Packages of pieces")
struct PiecePackageTests {
    @Test("A package with everything is read as it was written, from a file, from memory and from a folder")
    func whole() throws {
        let package = try PackageSamples.whole()
        let writer = try PiecePackageWriter(package)
        let bytes = try writer.bytes()
        try PackageSamples.withFolder { folder in
            let file = folder.appendingPathComponent("a.earpiece")
            try writer.write(to: file)
            #expect(try Data(contentsOf: file) == bytes)
            let exists = #expect(throws: EarshotError.self) { try writer.write(to: file) }
            #expect(exists?.code == .destinationExists)
            try writer.write(to: file, replacing: true)
            let plain = folder.appendingPathComponent("plain")
            try writer.write(toFolder: plain)
            let extracted = folder.appendingPathComponent("extracted")
            try PiecePackageReader(file).extract(toFolder: extracted)
            let there = #expect(throws: EarshotError.self) { try PiecePackageReader(file).extract(toFolder: extracted) }
            #expect(there?.code == .destinationExists)
            for reader in [
                try PiecePackageReader(file), try PiecePackageReader(bytes), try PiecePackageReader(plain),
                try PiecePackageReader(extracted),
            ] {
                #expect(try reader.package() == package)
                #expect(reader.draft == package.draft && reader.manifest.author == "Ada")
                #expect(
                    reader.parts.map(\.file) == [
                        "stem.wav", "preview.ogg", "cover.png", "attachment/project ü.bin", "stems/Drums.wav",
                        "stems/Bäss.ogg",
                    ]
                )
                #expect(reader.part(.stem)?.originalName == "mix.wav")
                #expect(try reader.stem(named: "Drums")?.bytes == PackageSamples.wave([1, 2, 3]))
                #expect(try reader.stem(named: "Flute") == nil)
                // What was read gives the same bytes again.
                #expect(try PiecePackageWriter(try reader.package()).bytes() == bytes)
            }
            let part = try #require(try PiecePackageReader(file).part(.attachment))
            let target = folder.appendingPathComponent("project")
            try PiecePackageReader(file).extract(part, to: target)
            #expect(try Data(contentsOf: target) == Data([0, 255, 7]))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["a.earpiece", "extracted", "plain", "project"])
        }
    }

    @Test("The smallest package has these bytes")
    func vector() throws {
        let package = try PackageSamples.small()
        let bytes = try PiecePackageWriter(package).bytes()
        let vector = try #require(Data(base64Encoded: Self.vector.joined()))
        #expect(bytes == vector, "\(bytes.base64EncodedString())")
        #expect(try PiecePackageReader(vector).package() == package)
        let manifest = #"""
            {"description":"","format":"earshot-piece","parts":[{"file":"stem.wav","format":"wave","kind":"stem","mediaType":"audio/wav","sha256":"b85d5c55c73400b0455995df34d7b0329611a110c7a87c70163a460106ad0b99","size":52}],"piece":{"basedOn":[],"length":500000,"loop":{"end":500000,"start":0},"tempo":120,"timeSignature":{"lower":4,"upper":4},"title":"Night loop","tonality":{"root":9,"scale":[true,false,true,false,true,true,false,true,false,true,false,true],"state":"tonal"}},"version":1}
            """#
        #expect(String(decoding: bytes.dropFirst(43).prefix(manifest.utf8.count), as: UTF8.self) == manifest)
    }

    private static let vector = [
        "UEsDBBQAAAgAAAAAIQAwpOqS4AEAAOABAAANAAAAbWFuaWZlc3QuanNvbnsiZGVzY3JpcHRpb24iOiIiLCJmb3JtYXQiOiJlYXJz",
        "aG90LXBpZWNlIiwicGFydHMiOlt7ImZpbGUiOiJzdGVtLndhdiIsImZvcm1hdCI6IndhdmUiLCJraW5kIjoic3RlbSIsIm1lZGlh",
        "VHlwZSI6ImF1ZGlvL3dhdiIsInNoYTI1NiI6ImI4NWQ1YzU1YzczNDAwYjA0NTU5OTVkZjM0ZDdiMDMyOTYxMWExMTBjN2E4N2M3",
        "MDE2M2E0NjAxMDZhZDBiOTkiLCJzaXplIjo1Mn1dLCJwaWVjZSI6eyJiYXNlZE9uIjpbXSwibGVuZ3RoIjo1MDAwMDAsImxvb3Ai",
        "OnsiZW5kIjo1MDAwMDAsInN0YXJ0IjowfSwidGVtcG8iOjEyMCwidGltZVNpZ25hdHVyZSI6eyJsb3dlciI6NCwidXBwZXIiOjR9",
        "LCJ0aXRsZSI6Ik5pZ2h0IGxvb3AiLCJ0b25hbGl0eSI6eyJyb290Ijo5LCJzY2FsZSI6W3RydWUsZmFsc2UsdHJ1ZSxmYWxzZSx0",
        "cnVlLHRydWUsZmFsc2UsdHJ1ZSxmYWxzZSx0cnVlLGZhbHNlLHRydWVdLCJzdGF0ZSI6InRvbmFsIn19LCJ2ZXJzaW9uIjoxfVBL",
        "AwQUAAAIAAAAACEAjlAxnzQAAAA0AAAACAAAAHN0ZW0ud2F2UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0",
        "YQgAAAAAAGQAnP8AAFBLAQIUABQAAAgAAAAAIQAwpOqS4AEAAOABAAANAAAAAAAAAAAAAAAAAAAAAABtYW5pZmVzdC5qc29uUEsB",
        "AhQAFAAACAAAAAAhAI5QMZ80AAAANAAAAAgAAAAAAAAAAAAAAAAACwIAAHN0ZW0ud2F2UEsFBgAAAAACAAIAcQAAAGUCAAAAAA==",
    ]

    @Test("A package gives its parts to a drop")
    func providers() async throws {
        let package = try PackageSamples.whole()
        let reader: any DropProviders = try PiecePackageReader(try PiecePackageWriter(package).bytes())
        #expect(try await reader.mixStem(for: package.draft).format == .wave)
        #expect(try await reader.stems(for: package.draft).map(\.name) == package.stems.map(\.name))
        #expect(!package.stems.isEmpty)
        #expect(try await reader.preview(for: package.draft)?.format == .oggVorbis)
        #expect(try await reader.cover(for: package.draft) == package.cover)
        #expect(try await reader.attachment(for: package.draft) == package.attachment)
    }

    @Test("An attachment of 30,000,000 bytes goes through a package", .requirements("R-PC-066"))
    func largestAttachment() throws {
        var package = try PackageSamples.small()
        let bytes = Data(repeating: 7, count: AttachmentBundle.maximumSize)
        package.attachment = try AttachmentBundle(fileName: "large.bin", bytes: bytes)
        try PackageSamples.withFolder { folder in
            let file = folder.appendingPathComponent("a.earpiece")
            try PiecePackageWriter(package).write(to: file)
            #expect(try PiecePackageReader(file).attachment()?.bytes == bytes)
        }
    }

    @Test("What cannot be in a package is refused before anything is written", .requirements("R-PC-069"))
    func refused() throws {
        let package = try PackageSamples.small()
        try PackageSamples.withFolder { folder in
            // A file that is no longer what it was when its format was known.
            let file = folder.appendingPathComponent("mix.wav")
            try PackageSamples.wave([1, 2]).write(to: file)
            let sound = try PackagedAudio(file: file)
            var changed = package
            changed.mix = sound
            let writer = try PiecePackageWriter(changed)
            try PackageSamples.wave([1, 3]).write(to: file)
            let target = folder.appendingPathComponent("a.earpiece")
            #expect(throws: EarshotError.self) { try writer.write(to: target) }
            #expect(throws: EarshotError.self) { try writer.write(toFolder: target) }
            try Data("This is no sound at all, although it is called so.".utf8).write(to: file)
            let error = #expect(throws: EarshotError.self) { try PiecePackageWriter(changed) }
            #expect(error?.code == .pieceInvalid)
            let text = #expect(throws: EarshotError.self) { try PackagedAudio(file: file) }
            #expect(text?.code == .pieceInvalid)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mix.wav"])
        }
        for names in [
            [""], ["a/b"], ["a/\u{338}b"], [".."], [".\u{338}"], [" a"], ["\u{338}a"], ["A", "a"],
            [String(repeating: "é", count: 51)],
        ] {
            var other = package
            other.stems = names.map { PieceStem(name: $0, sound: package.mix) }
            let error = #expect(throws: EarshotError.self) { try PiecePackageWriter(other) }
            #expect(error?.code == .pieceInvalid)
        }
    }

    @Test("A folder is read without what is not the package's, and no link leads out of it")
    func folder() throws {
        let package = try PackageSamples.whole()
        try PackageSamples.withFolder { folder in
            let plain = folder.appendingPathComponent("plain")
            try PiecePackageWriter(package).write(toFolder: plain)
            try Data([1]).write(to: plain.appendingPathComponent("notes.txt"))
            #expect(try PiecePackageReader(plain).package() == package)
            let stem = plain.appendingPathComponent("stem.wav")
            let elsewhere = folder.appendingPathComponent("elsewhere.wav")
            try FileManager.default.moveItem(at: stem, to: elsewhere)
            #expect(Self.code { try PiecePackageReader(plain) } == .pieceInvalid)
            try FileManager.default.createSymbolicLink(at: stem, withDestinationURL: elsewhere)
            #expect(Self.code { try PiecePackageReader(plain) } == .pieceInvalid)
            try FileManager.default.removeItem(at: stem)
            try FileManager.default.copyItem(at: elsewhere, to: stem)
            #expect(try PiecePackageReader(plain).package() == package)
            let reader = try PiecePackageReader(plain)
            var bytes = try Data(contentsOf: stem)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: stem)
            #expect(Self.code { try reader.mixStem() } == .pieceInvalid)
            #expect(Self.code { try PiecePackageReader(plain) } == .pieceInvalid)
            #expect(Self.code { try PiecePackageReader(folder) } == .pieceInvalid)
            #expect(Self.code { try PiecePackageReader(folder.appendingPathComponent("none")) } == .assetNotFound)
        }
    }

    static func code(_ body: () throws -> some Any) -> EarshotError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? EarshotError)?.code
        }
    }
}
