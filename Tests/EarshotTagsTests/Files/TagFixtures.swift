import EarshotCore
import EarshotMedia
import Foundation
import TestSupport

/// Files whose tags are written in the tests, and what is put into them.
enum TagFixtures {
    /// One for each kind of file for which there is an encoder.
    static let all = [
        "tagged.mp3", "half1.mp3", "aiff.aiff", "wav16.wav", "chirp.flac", "tagged.ogg", "chirp.opus", "tagged.m4a",
        "faststart.m4a", "alac.m4a", "chirp.wv", "chirp.oga", "chirp.spx",
    ]

    /// A folder with copies of some of them.
    static func withCopies<Result>(_ names: [String], _ body: ([URL]) throws -> Result) throws -> Result {
        try withTemporaryFolder { folder in
            try body(names.map { try copy($0, to: folder) })
        }
    }

    static func copy(_ name: String, to folder: URL) throws -> URL {
        let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
        let copy = folder.appendingPathComponent(name)
        // What a copy of the system makes has the rights of the original.
        try Data(contentsOf: fixtures.appendingPathComponent(name)).write(to: copy)
        return copy
    }

    static func bytes(_ url: URL) throws -> [UInt8] { try [UInt8](Data(contentsOf: url)) }

    /// A PNG of one pixel, with a note that makes it as long as wanted.
    static func picture(_ byteCount: Int = 0, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let head: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1,
            8, 2, 0,
            0, 0, 0x90, 0x77, 0x53, 0xDE,
        ]
        return head + (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    /// Names of files in a folder, hidden ones too.
    static func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: - ID3

    /// A frame of ID3v2.3 or 2.4.
    static func frame(_ id: String, _ body: [UInt8], version: UInt8 = 4) -> [UInt8] {
        let count = UInt32(body.count)
        let size =
            version == 4 ? [21, 14, 7, 0].map { count >> $0 & 0x7F } : [24, 16, 8, 0].map { count >> $0 & 0xFF }
        return Array(id.utf8) + size.map { UInt8($0) } + [0, 0] + body
    }

    /// A tag of ID3v2.3 or 2.4 with some frames.
    static func tag(_ frames: [[UInt8]], version: UInt8 = 4) -> [UInt8] {
        let body = frames.flatMap(\.self)
        let count = UInt32(body.count)
        return Array("ID3".utf8) + [version, 0, 0] + [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } + body
    }

    // MARK: - Kinds without an encoder

    /// A file of Monkey's Audio whose one frame is noise: its head is right, and that is all that tags need.
    static var monkeysAudio: [UInt8] {
        func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        let sizes: [UInt32] = [52, 24, 4, 0, 402, 0, 0]
        let descriptor =
            Array("MAC ".utf8) + number(UInt16(3_990)) + [0, 0] + sizes.flatMap(number)
            + [UInt8](repeating: 0, count: 16)
        let blocks: [UInt32] = [73_728, 1_000, 1]
        let header =
            number(UInt16(2_000)) + [0, 0] + blocks.flatMap(number) + number(UInt16(16)) + number(UInt16(2))
            + number(UInt32(44_100))
        return descriptor + header + number(UInt32(80)) + picture(369, seed: 8)
    }

    /// A file of Musepack, stream version 8, whose one packet of sound is noise.
    static var musepack: [UInt8] {
        let head: [UInt8] = [1, 2, 3, 4, 8, 0x87, 0x68, 0, 0x1B, 0x18]
        func packet(_ key: String, _ body: [UInt8]) -> [UInt8] {
            // The size counts the key and itself, in groups of seven bits, the highest first.
            let size = body.count + 4
            return Array(key.utf8) + [UInt8(size >> 7) | 0x80, UInt8(size & 0x7F)] + body
        }
        return Array("MPCK".utf8) + packet("SH", head) + packet("AP", picture(369, seed: 9)) + packet("SE", [])
    }

    /// The MP3 without its own tag.
    static func bareMP3() throws -> [UInt8] {
        let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
        let bytes = try bytes(fixtures.appendingPathComponent("half1.mp3"))
        guard bytes.starts(with: Array("ID3".utf8)) else { return bytes }
        let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
        return Array(bytes[(10 + size)...])
    }
}

extension Array where Element == UInt8 {
    /// Whether some bytes stand in it, one behind the other.
    func holds(_ run: [UInt8]) -> Bool {
        !run.isEmpty && Data(self).range(of: Data(run)) != nil
    }
}
