import EarshotPieces
import Foundation

/// Parts of pieces, made by code.
enum PackageSamples {
    /// A mono WAVE file of 16-bit samples at 8 kHz.
    static func wave(_ samples: [Int16]) -> Data {
        let size = UInt32(samples.count * 2)
        var bytes = Array("RIFF".utf8) + little(size + 36) + Array("WAVEfmt ".utf8) + little(UInt32(16))
        bytes += little(UInt16(1)) + little(UInt16(1)) + little(UInt32(8_000)) + little(UInt32(16_000))
        bytes += little(UInt16(2)) + little(UInt16(16)) + Array("data".utf8) + little(size)
        for sample in samples { bytes += little(sample) }
        return Data(bytes)
    }

    static func ogg() -> Data {
        Data(Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 30, 1] + Array("vorbis".utf8) + [0, 0])
    }

    /// The begin of a PNG file of a size, which is all of it that is looked at.
    static func png(side: UInt32 = 640) -> Data {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        for _ in 0..<2 { bytes += little(side).reversed() }
        return Data(bytes + [8, 2, 0, 0, 0])
    }

    static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    static func draft() throws -> PieceDraft {
        try PieceDraft(
            title: "Night loop",
            length: 500_000,
            tempo: FixedTempo(120),
            loop: LoopMarkers(start: 0, end: 500_000),
            timeSignature: TimeSignature(upper: 4, lower: 4),
            tonality: .minor(.a)
        )
    }

    /// The smallest package.
    static func small() throws -> PiecePackage {
        PiecePackage(draft: try draft(), mix: PackagedAudio(try AudioBundle(.wave, wave([0, 100, -100, 0]))))
    }

    /// A package with everything.
    static func whole() throws -> PiecePackage {
        PiecePackage(
            draft: try draft(),
            description: "Two bars, for the night.",
            author: "Ada",
            id: PieceID("01234567-89ab-cdef-0123-456789abcdef"),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000.25),
            mix: PackagedAudio(
                try AudioBundle(.wave, wave((0..<4_000).map { Int16(truncatingIfNeeded: $0 * 77) })),
                fileName: "mix.wav"
            ),
            stems: [
                PieceStem(name: "Drums", sound: PackagedAudio(try AudioBundle(.wave, wave([1, 2, 3])))),
                PieceStem(name: "Bäss", sound: PackagedAudio(try AudioBundle(.oggVorbis, ogg()))),
            ],
            preview: PackagedAudio(try AudioBundle(.oggVorbis, ogg())),
            cover: try CoverImage(png()),
            attachment: try AttachmentBundle(fileName: "project ü.bin", bytes: Data([0, 255, 7]))
        )
    }

    /// A folder of its own, removed with what is in it.
    static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-piece-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
