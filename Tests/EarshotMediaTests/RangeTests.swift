import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Parts of a file")
struct RangeTests {
    private func range(_ frames: Range<Int64>, _ rate: Int) -> Range<MediaTime> {
        MediaTime(frames: frames.lowerBound, sampleRate: rate)..<MediaTime(frames: frames.upperBound, sampleRate: rate)
    }

    @Test("Frames 100,000 to 199,999 equal that slice of the full decode", .requirements("R-MR-019"))
    func slice() async throws {
        let url = Fixtures.url("long.flac")
        let whole = try await Recording.read(url).interleaved
        let part = try await Recording.read(url, options: .init(range: range(100_000..<200_000, 44_100)))
        #expect(part.start == MediaTime(frames: 100_000, sampleRate: 44_100))
        #expect(part.frameCount == 100_000)
        let isSame = part.interleaved == Array(whole[200_000..<400_000])
        #expect(isSame)
    }

    @Test("Any part of any format equals that slice of the full decode", arguments: Fixtures.readable)
    func anyPart(_ name: String) async throws {
        let url = Fixtures.url(name)
        let whole = try await Recording.read(url)
        let rate = whole.format.sampleRate
        let channels = whole.format.channelCount
        let start = try #require(whole.start).converted(toTimescale: Int32(rate)).value
        let all = whole.interleaved
        let count = Int64(whole.frameCount)
        // The last two lie beyond the first four seconds, where formats that can be entered are.
        for (from, to) in [(0, 10), (count / 4, count * 3 / 5), (count - 7, count + 1000), (count * 9 / 10, count)] {
            let frames = start + from..<start + to
            let part = try await Recording.read(url, options: .init(range: range(frames, rate)))
            let last = min(to, count)
            #expect(part.error == nil)
            #expect(part.start == MediaTime(frames: frames.lowerBound, sampleRate: rate))
            let isSame = part.interleaved == Array(all[Int(from) * channels..<Int(last) * channels])
            #expect(isSame)
        }
    }

    @Test("The same for a long WAV, also resampled", arguments: [nil, 16_000, 48_000])
    func resampledPart(_ rate: Int?) async throws {
        let folder = try TemporaryFolder()
        let samples = WaveFile.chirps(sampleRate: 44_100, frames: 44_100 * 7)
        let url = try folder.write(WaveFile.bytes(samples, sampleRate: 44_100, channelCount: 2), as: "long.wav")
        let options = AssetReader.Options(sampleRate: rate, sampleType: .int16)
        let whole = try await Recording.read(url, options: options).interleaved
        let output = rate ?? 44_100
        var partly = options
        partly.range = range(Int64(output * 5 + 123)..<Int64(output * 6 + 7), output)
        let part = try await Recording.read(url, options: partly)
        #expect(part.start == partly.range?.lowerBound)
        let isSame = part.interleaved == Array(whole[(output * 5 + 123) * 2..<(output * 6 + 7) * 2])
        #expect(isSame)
    }

    @Test("A part before the sound begins, behind its end, or empty gives nothing")
    func outside() async throws {
        let second = MediaTime(value: 1, timescale: 1)
        let before = MediaTime(value: -2, timescale: 1)..<MediaTime(value: -1, timescale: 1)
        for range in [before, second + second..<second * 3, second..<second] {
            let recording = try await Recording.read(Fixtures.url("half1.mp3"), options: .init(range: range))
            #expect(recording.blocks.isEmpty && recording.error == nil)
        }
        let infinite = MediaTime.negativeInfinity..<MediaTime.positiveInfinity
        let all = try await Recording.read(Fixtures.url("half1.mp3"), options: .init(range: infinite))
        #expect(all.frameCount == 22_050)
    }
}
