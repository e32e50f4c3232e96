@testable import EarshotAnalysis
import EarshotCore
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("Waveforms")
struct WaveformTests {
    private func made(_ samples: [Float], channels: Int = 1, frames: Int = 4, most: Int = 1 << 19, block: Int = 7)
        -> Waveform
    {
        var maker = WaveformMaker(sampleRate: 8_000, channelCount: channels, framesPerBucket: frames, mostBuckets: most)
        for first in stride(from: 0, to: samples.count, by: block * channels) {
            let part = Array(samples[first..<min(first + block * channels, samples.count)])
            maker.append(AudioBuffer(part, sampleRate: 8_000, channelCount: channels))
        }
        return maker.waveform
    }

    @Test("a known signal has the lowest, the highest and the level of each run", .requirements("R-MR-114"))
    func known() {
        let waveform = made([0, 0.5, -0.5, 0, 1, 1, 1, 1, -0.25, 0.75])
        #expect(
            waveform.buckets == [
                WaveformBucket(minimum: -0.5, maximum: 0.5, rms: Float(0.125.squareRoot())),
                WaveformBucket(minimum: 1, maximum: 1, rms: 1),
                WaveformBucket(minimum: -0.25, maximum: 0.75, rms: Float(0.3125.squareRoot())),
            ]
        )
        #expect((waveform.length, waveform.frameCount) == (3, 10))
        #expect(waveform.duration == MediaTime(value: 10, timescale: 8_000))
        let stereo = made([0.1, -0.1, 0.2, -0.2], channels: 2, frames: 2)
        #expect(stereo[0, channel: 0]?.maximum == 0.2 && stereo[0, channel: 1]?.minimum == -0.2)
        #expect(stereo[1, channel: 0] == nil && stereo[0, channel: 2] == nil)
        #expect(stereo.mono.buckets.first?.minimum == -0.2 && stereo.mono.buckets.first?.maximum == 0.2)
    }

    @Test("integers and numbers give the same, and what is no number is silence")
    func types() {
        var integers = WaveformMaker(sampleRate: 8_000, channelCount: 1, framesPerBucket: 4)
        integers.append(AudioBuffer([Int16.min, 16_384, 0, 0], sampleRate: 8_000))
        #expect(integers.waveform == made([-1, 0.5, 0, 0]))
        #expect(made([.nan, .infinity, 0.5, 0]) == made([0, 0, 0.5, 0]))
        // Of another rate.
        integers.append(AudioBuffer([Int16.max], sampleRate: 16_000))
        #expect(integers.waveform.frameCount == 4)
    }

    @Test("coarser views have the extremes of the finer ones, and the sound's level", .requirements("R-MR-116"))
    func levels() {
        property("views of random sound") { random in
            let channels = Int.random(in: 1...3, using: &random)
            let count = Int.random(in: 1...500, using: &random)
            let samples = (0..<count * channels).map { _ in Float.random(in: -1...1, using: &random) }
            let fine = made(samples, channels: channels, block: Int.random(in: 1...50, using: &random))
            let factor = Int.random(in: 2...9, using: &random)
            let coarse = fine.coarser(by: factor)
            // As if it had been made of the sound itself.
            let direct = made(samples, channels: channels, frames: 4 * factor)
            guard coarse.length == direct.length, coarse.framesPerBucket == 4 * factor else { return false }
            for (one, other) in zip(coarse.buckets, direct.buckets) {
                guard one.minimum == other.minimum, one.maximum == other.maximum else { return false }
                guard abs(one.rms - other.rms) < 1e-5 else { return false }
            }
            return fine.fitted(to: 10).length <= 10 && fine.levels(downTo: 10).last.map { $0.length <= 10 } == true
        }
    }

    @Test("however long the sound is, there are no more runs than wanted")
    func bounded() {
        let samples = (0..<10_000).map { Float($0 % 100) / 100 }
        let waveform = made(samples, frames: 1, most: 64)
        #expect(waveform.length <= 64 && waveform.length >= 32)
        #expect(waveform.frameCount == 10_000)
        let direct = made(samples, frames: waveform.framesPerBucket)
        #expect(waveform.buckets.map(\.maximum) == direct.buckets.map(\.maximum))
        #expect(zip(waveform.buckets, direct.buckets).allSatisfy { abs($0.rms - $1.rms) < 1e-5 })
        #expect(made([], frames: 4).length == 0)
    }

    @Test("data files are those of audiowaveform, and come back", arguments: Waveform.Resolution.allCases)
    func files(_ resolution: Waveform.Resolution) throws {
        let waveform = made([0, 0.5, -0.5, 0, 1, 1, -1, 1], channels: 2, frames: 2)
        let bytes = waveform.dataFile(resolution)
        #expect(
            bytes.prefix(24) == [
                2, 0, 0, 0, resolution == .bits8 ? 1 : 0, 0, 0, 0, 0x40, 0x1F, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
            ]
        )
        if resolution == .bits8 {
            #expect(bytes.suffix(8) == [0x80, 0x7F, 0x7F, 0x7F, 0xC0, 0, 0, 0x40].suffix(8) || bytes.count == 32)
        }
        let read = try Waveform(dataFile: bytes)
        #expect((read.sampleRate, read.channelCount, read.framesPerBucket, read.length) == (8_000, 2, 2, 2))
        for (one, other) in zip(read.buckets, waveform.buckets) {
            #expect(abs(one.minimum - other.minimum) <= 1 / resolution.fullScale)
            #expect(abs(one.maximum - other.maximum) <= 1 / resolution.fullScale)
        }
        let json = try waveform.json(resolution)
        #expect(
            json.contains(#""samples_per_pixel":2"#) && json.contains(#""version":2"#) && json.contains(#""rms":["#)
        )
    }

    @Test("damaged data files are refused, never a trap")
    func damaged() {
        let whole = made([0, 0.5, -0.5, 0, 1, 1, -1, 1]).dataFile(.bits16)
        property("damaged waveforms") { random in
            let read = try? Waveform(dataFile: random.mutated(whole))
            return (read?.buckets.count ?? 0) <= 1_000
        }
        #expect(throws: EarshotError.self) { try Waveform(dataFile: Array(whole.dropLast())) }
    }
}
