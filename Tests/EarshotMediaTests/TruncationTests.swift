import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Files that break off")
struct TruncationTests {
    /// Files that state their length up front, so that a missing end shows.
    static let stating = [
        "aiff.aiff", "chirp.flac", "chirp.opus", "faststart.m4a", "half1.mp3", "late.mkv", "long.flac", "long.ogg",
        "multi.mkv", "surround.wav", "tagged.mp3", "tagged.ogg", "wav16.wav", "wav24.wav", "wavfloat.wav",
    ]

    private func cut(_ name: String, to fraction: Double, in folder: TemporaryFolder) throws -> URL {
        let bytes = try Fixtures.bytes(name)
        return try folder.write(Array(bytes.prefix(Int(Double(bytes.count) * fraction))), as: "cut-\(name)")
    }

    @Test(
        "All samples up to the cut come, then the error with the position",
        .requirements("R-MR-016"),
        arguments: stating,
        [0.5, 0.7, 0.9]
    )
    func cut(_ name: String, fraction: Double) async throws {
        let folder = try TemporaryFolder()
        let url = try cut(name, to: fraction, in: folder)
        let whole = try await Recording.read(Fixtures.url(name))
        let part = try await Recording.read(url)
        #expect(part.error?.code == .readFailed)
        #expect(part.error?.position == part.end ?? .zero)
        #expect(part.error?.message.contains(url.path) == true)
        #expect(part.frameCount < whole.frameCount)
        // The last packet or two of a lossy encoding lean on what is missing.
        let lean = ["mp3", "ogg", "opus", "m4a"].contains(url.pathExtension) ? 3_000 : 0
        let count = max(part.interleaved.count - lean * part.format.channelCount, 0)
        let isPrefix = part.interleaved.prefix(count).elementsEqual(whole.interleaved.prefix(count))
        #expect(isPrefix)
    }

    @Test("Whole files end without an error", .requirements("R-MR-016"), arguments: Fixtures.readable)
    func whole(_ name: String) async throws {
        let recording = try await Recording.read(Fixtures.url(name))
        #expect(recording.error == nil)
        #expect(recording.frameCount > 0)
    }

    @Test("Of a cut WAV every frame comes that is there")
    func everyFrame() async throws {
        let folder = try TemporaryFolder()
        let samples = WaveFile.chirps(sampleRate: 8_000, frames: 10_000)
        let bytes = WaveFile.bytes(samples, sampleRate: 8_000, channelCount: 2)
        for frames in [0, 1, 4_095, 9_999] {
            let url = try folder.write(Array(bytes.prefix(44 + frames * 4)), as: "cut\(frames).wav")
            let recording = try await Recording.read(url, options: .init(sampleType: .int16))
            #expect(recording.frameCount == frames)
            #expect(recording.error?.code == .readFailed)
            #expect(recording.error?.position == MediaTime(frames: Int64(frames), sampleRate: 8_000))
        }
    }

    @Test("A WAV that does not know its own length is whole", arguments: [0xFFFF_FFFF, 0])
    func unknownLength(_ stated: Int) async throws {
        let folder = try TemporaryFolder()
        let samples = WaveFile.chirps(sampleRate: 8_000, frames: 3_001)
        let bytes = WaveFile.bytes(samples, sampleRate: 8_000, channelCount: 2, statedBytes: stated)
        let recording = try await Recording.read(folder.write(bytes, as: "stream.wav"))
        #expect(recording.error == nil)
        #expect(recording.frameCount == (stated == 0 ? 0 : 3_001) || recording.frameCount == 3_001)
    }

    @Test("Any cut of any file ends in order", arguments: Fixtures.readable)
    func anyCut(_ name: String) throws {
        let folder = try TemporaryFolder()
        for step in 0..<12 {
            let url = try cut(name, to: Double(step) / 12, in: folder)
            do {
                let part = try Recording.decode(url)
                #expect(part.error == nil || part.error?.code == .readFailed)
            } catch let error as EarshotError {
                #expect([.assetUnreadable, .noAudioStream, .codecUnsupported].contains(error.code))
            }
        }
    }

    @Test("Of an MP4 with its table at the end nothing can be read once that is gone")
    func tableGone() async throws {
        let folder = try TemporaryFolder()
        let url = try cut("tagged.m4a", to: 0.5, in: folder)
        let error = await #expect(throws: EarshotError.self) { _ = try await AssetReader(url) }
        #expect(error?.code == .assetUnreadable)
    }
}
