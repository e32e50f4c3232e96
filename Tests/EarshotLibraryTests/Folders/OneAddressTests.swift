import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("The address of an item")
struct OneAddressTests {
    @Test(
        "One address opens at every level: as an asset, in a reader, in a decoder, and as a waveform",
        .requirements("R-MR-004")
    )
    func levels() async throws {
        try await withTemporaryFolder { folder in
            let name = "a b?%#曲.wav"
            try SmallFiles.wave([("INAM", Array("Title".utf8))], frames: 4_000, value: 200)
                .write(to: folder.appendingPathComponent(name))
            let library = FolderLibrary(folder)
            for try await _ in library.scan() {}
            let address = try #require(try await library.items().first).requireAsset()
            #expect(try await Asset.load(address).streams.count == 1)
            var frames = 0
            for try await block in try await AssetReader(address) { frames += block.buffer.frameCount }
            #expect(frames == 4_000)
            let decoder = try AudioDecoder(address)
            var decoded = 0
            var maker = WaveformMaker(sampleRate: 8_000, channelCount: 1, framesPerBucket: 1_000)
            while let block = try decoder.next() {
                decoded += block.buffer.frameCount
                maker.append(block.buffer)
            }
            #expect(decoded == 4_000)
            #expect(maker.waveform.length == 4)
        }
    }
}
