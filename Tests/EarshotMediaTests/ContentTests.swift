import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("What a reader delivers")
struct ContentTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var sampleRate: Int
        var frames: Int
        /// Largest error of a sample.
        var tolerance: Float = 1 / 32768
        var testDescription: String { name }
    }

    static let losslessFiles: [Case] = [
        Case(name: "wav16.wav", sampleRate: 44_100, frames: 6_615),
        Case(name: "wav24.wav", sampleRate: 48_000, frames: 2_400, tolerance: 1 / 4_194_304),
        Case(name: "wavfloat.wav", sampleRate: 22_050, frames: 2_205, tolerance: 1 / 4_194_304),
        Case(name: "aiff.aiff", sampleRate: 44_100, frames: 4_410),
        Case(name: "chirp.flac", sampleRate: 44_100, frames: 22_050),
        Case(name: "alac.m4a", sampleRate: 44_100, frames: 13_230),
        Case(name: "late.mkv", sampleRate: 8_000, frames: 4_000),
        Case(name: "late.mp4", sampleRate: 8_000, frames: 4_000),
    ]

    @Test("Lossless files give the very samples of the signal", .requirements("R-MR-042"), arguments: losslessFiles)
    func lossless(_ file: Case) async throws {
        let recording = try await Recording.read(Fixtures.url(file.name))
        #expect(recording.error == nil)
        #expect(recording.format.sampleRate == file.sampleRate)
        let signals = [TestSignal.left, TestSignal.right].prefix(recording.format.channelCount)
        for (channel, signal) in signals.enumerated() {
            let expected = TestSignal.samples(signal, sampleRate: file.sampleRate, count: file.frames)
            #expect(TestSignal.largestDifference(recording.channel(channel), expected) <= file.tolerance)
        }
    }

    static let lossyFiles: [Case] = [
        Case(name: "tagged.mp3", sampleRate: 44_100, frames: 88_200),
        Case(name: "tagged.ogg", sampleRate: 44_100, frames: 88_200),
        Case(name: "tagged.m4a", sampleRate: 44_100, frames: 88_200),
        Case(name: "chirp.opus", sampleRate: 48_000, frames: 96_000),
        Case(name: "long.ogg", sampleRate: 8_000, frames: 48_000),
        Case(name: "gsm.wav", sampleRate: 8_000, frames: 8_000),
    ]

    @Test("Delay and padding of lossy files are gone", .requirements("R-MR-020", "R-MR-042"), arguments: lossyFiles)
    func lossy(_ file: Case) async throws {
        let recording = try await Recording.read(Fixtures.url(file.name))
        #expect(recording.error == nil)
        #expect(recording.start == .zero)
        #expect(recording.frameCount == file.frames)
        // The first eighth of a second, against the signal moved by up to 4 ms.
        let length = file.sampleRate / 8
        let signal = TestSignal.samples(TestSignal.left, sampleRate: file.sampleRate, count: length)
        let heard = Array(recording.channel(0).prefix(length))
        let lag = TestSignal.lag(of: heard, behind: signal, atMost: file.sampleRate / 250)
        #expect(abs(lag.frames) <= file.sampleRate / 1000)
        #expect(lag.likeness > 0.95)
    }

    @Test("Two halves of a signal join without a sample between them", .requirements("R-MR-020"))
    func gapless() async throws {
        let first = try await Recording.read(Fixtures.url("half1.mp3"))
        let second = try await Recording.read(Fixtures.url("half2.mp3"))
        let joined = first.channel(0) + second.channel(0)
        #expect(joined.count == 44_100)
        let signal = TestSignal.samples(TestSignal.left, sampleRate: 44_100, count: 44_100)
        // Around the joint alone: a sample more or less would show as a lag behind it.
        for place in [20_000..<22_050, 22_050..<24_100, 40_000..<44_000] {
            let lag = TestSignal.lag(of: Array(joined[place]), behind: Array(signal[place]), atMost: 40)
            #expect(lag.frames == 0)
            #expect(lag.likeness > 0.95)
        }
    }

    @Test(
        "Frames add up to the stated duration within a codec frame",
        .requirements("R-MR-015"),
        arguments: Fixtures.readable.filter { !["late.mkv", "late.mp4", "multi.mkv", "chirp.aac"].contains($0) }
    )
    func total(_ name: String) async throws {
        let asset = try await Asset.load(Fixtures.url(name))
        let recording = try await Recording.read(Fixtures.url(name))
        let frames = asset.duration.converted(toTimescale: Int32(recording.format.sampleRate)).value
        let stream = try #require(asset.streams.first)
        let codecFrame: Int64 =
            ["mp3": 1_152, "aac": 1_024, "opus": 960, "vorbis": 1_024, "alac": 4_096][stream.codec] ?? 0
        #expect(abs(Int64(recording.frameCount) - frames) <= codecFrame)
        #expect(recording.error == nil)
    }

    @Test(
        "Every block states a PCM format and begins where the one before it ended",
        .requirements("R-MR-013", "R-MR-072"),
        arguments: Fixtures.readable
    )
    func blocks(_ name: String) async throws {
        let recording = try await Recording.read(Fixtures.url(name), options: .init(blockFrames: 500))
        var next = try #require(recording.start)
        for block in recording.blocks {
            #expect(block.buffer.format == recording.format)
            #expect(block.time == next)
            #expect(block.time.timescale == Int32(recording.format.sampleRate))
            #expect(block.buffer.frameCount > 0)
            next = block.time + block.buffer.duration
        }
        #expect(recording.blocks.dropLast().allSatisfy { $0.buffer.frameCount == 500 })
    }

    @Test("Sound that begins after the picture keeps its delay", arguments: ["late.mp4", "late.mkv"])
    func late(_ name: String) async throws {
        let recording = try await Recording.read(Fixtures.url(name))
        #expect(recording.start == MediaTime(value: 1, timescale: 2))
        #expect(recording.end == MediaTime(value: 1, timescale: 1))
    }

    @Test("The default track is read, or the one asked for")
    func choice() async throws {
        let url = Fixtures.url("multi.mkv")
        let best = try await Recording.read(url)
        #expect(best.format.sampleRate == 8_000)
        let first = try await Recording.read(url, options: .init(stream: .index(1)))
        let signal = TestSignal.samples(TestSignal.left, sampleRate: 16_000, count: 8_000)
        #expect(TestSignal.largestDifference(first.channel(0), signal) <= 1 / 32768)
    }

    @Test("Names with spaces and in other scripts are opened")
    func names() async throws {
        let folder = try TemporaryFolder()
        for name in ["two words.mp3", "日本語の曲.mp3", "a:b%20c#d?e.mp3"] {
            let file = try folder.write(Fixtures.bytes("half1.mp3"), as: name)
            #expect(try await Recording.read(file).frameCount == 22_050)
        }
    }

    @Test(
        "Samples agree with those of the ffmpeg command",
        .requirements("R-MR-042"),
        .enabled(if: ReferenceDecoder.isHere, "the ffmpeg command is the reference"),
        arguments: ["tagged.m4a", "alac.m4a", "tagged.mp3", "chirp.flac", "tagged.ogg", "chirp.opus"]
    )
    func reference(_ name: String) async throws {
        let recording = try await Recording.read(Fixtures.url(name))
        let expected = try ReferenceDecoder.decode(Fixtures.url(name))
        let ours = recording.interleaved
        // The command leaves the padding of MP4 in.
        #expect(expected.count == ours.count || name == "tagged.m4a" && expected.count > ours.count)
        #expect(TestSignal.largestDifference(Array(expected.prefix(ours.count)), ours) <= 1e-5)
    }
}
