import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Tags behind the sound of an MP3")
struct TrailingTagsTests {
    private static func footer(size: UInt32) -> [UInt8] {
        Array("APETAGEX".utf8)
            + [2_000, size, 0, 0].flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
            + [UInt8](repeating: 0, count: 8)
    }

    private func start(_ bytes: [UInt8], _ cancellation: Cancellation = .init()) throws -> Int {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.mp3")
            try Data(bytes).write(to: url)
            return try TrailingTags.start(of: RawFile(reading: url.path), cancellation: cancellation)
        }
    }

    private static let sound = [UInt8](repeating: 0x55, count: 1_000)

    @Test("Tags of all kinds in a row end where the sound does")
    func all() throws {
        let lyrics = Array("LYRICSBEGIN".utf8) + [UInt8](repeating: 0x20, count: 9)
        let lyrics3 = lyrics + Array("000020LYRICS200".utf8)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        #expect(try start(Self.sound + Self.footer(size: 32) + lyrics3 + old) == Self.sound.count)
    }

    @Test(
        "A size of nothing, or of less, is no tag and has an end",
        .timeLimit(.minutes(1)),
        arguments: [
            footer(size: 0), footer(size: 31), footer(size: 9_999), Array("-00015LYRICS200".utf8),
            Array("+00001LYRICS200".utf8), Array("999999LYRICS200".utf8), Array("٠٠٠LYRICS200".utf8),
        ]
    )
    func noSize(_ tag: [UInt8]) throws {
        #expect(try start(Self.sound + tag) == Self.sound.count + tag.count)
    }

    @Test("Canceled, it ends")
    func cancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel()
        let error = #expect(throws: EarshotError.self) {
            _ = try start(Self.sound + Self.footer(size: 32), cancellation)
        }
        #expect(error?.code == .cancelled)
    }
}
