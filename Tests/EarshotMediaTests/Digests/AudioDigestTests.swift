import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Digests of sound")
struct AudioDigestTests {
    @Test("Another sound has another digest, another file of one sound the same")
    func digests() async throws {
        let fixtures = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures")
        func digest(_ name: String, _ content: AudioDigest.Content = .packets) async throws -> AudioDigest {
            try await AudioDigest.of(fixtures.appendingPathComponent(name), content)
        }
        #expect(try await digest("half1.mp3") != digest("half2.mp3"))
        // The same sound in two containers.
        #expect(try await digest("bursts.ogg") == digest("bursts.mkv"))
        // The same samples in two encodings.
        #expect(try await digest("chirp.wv") != digest("wav16.wav"))
        #expect(try await digest("wav16.wav").description.count == 64)
        let error = await #expect(throws: EarshotError.self) { _ = try await digest("silent.mp4") }
        #expect(error?.code == .noAudioStream)
    }

    @Test("One changed byte of the sound changes the digest")
    func change() throws {
        try withTemporaryFolder { folder in
            let before = try AudioDigest.blocking(Fixtures.url("wav16.wav"))
            var bytes = try Fixtures.bytes("wav16.wav")
            bytes[bytes.count - 100] ^= 1
            let copy = folder.appendingPathComponent("copy.wav")
            try Data(bytes).write(to: copy)
            #expect(try AudioDigest.blocking(copy) != before)
        }
    }
}
