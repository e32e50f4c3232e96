import EarshotCore
import EarshotMedia
import EarshotSignatures
import TestSupport
import Testing

@Suite("Signatures of files")
struct SignatureOfFileTests {
    @Test("A file's signature is that of its buffers, whatever their size", .requirements("R-CC-008"))
    func wholeFile() async throws {
        let url = Fixtures.url("long.flac")
        let whole = try await SignatureGenerator.signature(from: AssetReader(url))
        #expect(!whole.isEmpty)
        for frames in [1_000, 4_096, 50_000] {
            var options = AssetReader.Options()
            options.blockFrames = frames
            var generator = SignatureGenerator()
            for try await block in try await AssetReader(url, options: options) {
                try generator.append(block.buffer, at: block.time)
            }
            #expect(generator.signature() == whole)
        }
    }
}
