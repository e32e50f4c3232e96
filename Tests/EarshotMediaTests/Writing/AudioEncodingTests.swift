import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotMedia

@Suite("Encodings")
struct AudioEncodingTests {
    @Test(
        "numbers that an encoding has are taken",
        arguments: [
            AudioEncoding.flac(bits: 16), .flac(bits: 24), .alac(bits: 24), .flac(bits: nil), .mp3(bitRate: 320_000),
            .mp3(bitRate: nil), .opus(bitRate: 6_000), .aac(bitRate: 1_000_000), .pcm(.int16), .passthrough,
        ]
    )
    func taken(_ encoding: AudioEncoding) throws { try encoding.check() }

    @Test(
        "others are refused",
        arguments: [
            AudioEncoding.flac(bits: -5), .flac(bits: 0), .flac(bits: 8), .flac(bits: 32), .alac(bits: 64),
            .mp3(bitRate: 320_001), .mp3(bitRate: 0), .aac(bitRate: -1), .opus(bitRate: .max), .vorbis(bitRate: .min),
        ]
    )
    func refused(_ encoding: AudioEncoding) throws {
        let error = #expect(throws: EarshotError.self) { try encoding.check() }
        #expect(error?.code == .audioFormatInvalid)
    }

    @Test("a file with bits that FLAC has not is not written")
    func writing() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("x.flac")
            let reader = try await AssetReader(Fixtures.url("wav16.wav"))
            let error = await #expect(throws: EarshotError.self) {
                try await AssetWriter(to: url, as: .flac).write(reader, encoding: .flac(bits: -5))
            }
            #expect(error?.code == .audioFormatInvalid)
        }
    }
}
