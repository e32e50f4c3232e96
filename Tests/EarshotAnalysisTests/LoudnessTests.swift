@testable import EarshotAnalysis
import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotLibrary

@Suite("Loudness")
struct LoudnessTests {
    /// A sine in both channels, of so many decibels below full scale.
    private func sine(_ level: Double, seconds: Double, rate: Int = 48_000, frequency: Double = 1_000) -> AudioBuffer {
        let amplitude = pow(10, level / 20)
        let samples = (0..<Int(seconds * Double(rate))).flatMap { frame -> [Float] in
            let sample = Float(amplitude * sin(2 * .pi * frequency * Double(frame) / Double(rate)))
            return [sample, sample]
        }
        return AudioBuffer(samples, sampleRate: rate, channelCount: 2)
    }

    private func measured(_ buffers: [AudioBuffer]) throws -> Loudness {
        let meter = try LoudnessMeter(sampleRate: buffers[0].sampleRate, channelCount: 2)
        for buffer in buffers { meter.append(buffer) }
        return meter.loudness
    }

    @Test("the signals of EBU Tech 3341 have the loudness that stands there")
    func cases() throws {
        // Cases 1, 2 and 3: stereo sines of 1 kHz.
        #expect(abs((try measured([sine(-23, seconds: 20)]).integrated ?? 0) + 23) < 0.1)
        #expect(abs((try measured([sine(-33, seconds: 20)]).integrated ?? 0) + 33) < 0.1)
        let gated = try measured([sine(-36, seconds: 10), sine(-23, seconds: 60), sine(-36, seconds: 10)])
        #expect(abs((gated.integrated ?? 0) + 23) < 0.1)
        // Tech 3342, case 1: ten LU between the halves.
        let ranged = try measured([sine(-20, seconds: 20), sine(-30, seconds: 20)])
        #expect(abs((ranged.range ?? 0) - 10) < 1)
        // A quarter of the rate, out of phase with the samples: the peak lies between them.
        let between = (0..<48_000).flatMap { frame -> [Float] in
            let sample = Float(0.5 * sin(.pi / 4 + .pi / 2 * Double(frame)))
            return [sample, sample]
        }
        let peak = try measured([AudioBuffer(between, sampleRate: 48_000, channelCount: 2)])
        #expect(abs((peak.truePeak ?? 0) + 6.02) < 0.4)
        #expect(abs((peak.samplePeak ?? 0) - 0.3536) < 0.001)
    }

    @Test("silence, too little, and what is no number have no loudness")
    func nothing() throws {
        let silence = AudioBuffer([Float](repeating: 0, count: 96_000), sampleRate: 48_000, channelCount: 2)
        #expect(try measured([silence]) == Loudness(integrated: nil, range: nil, truePeak: nil, samplePeak: nil))
        #expect(try measured([sine(-20, seconds: 0.1)]).integrated == nil)
        let none = AudioBuffer([Float](repeating: .nan, count: 96_000), sampleRate: 48_000, channelCount: 2)
        #expect(try measured([none]).integrated == nil)
        #expect(throws: EarshotError.self) { try LoudnessMeter(sampleRate: 48_000, channelCount: 0) }
        #expect(throws: EarshotError.self) { try LoudnessMeter(sampleRate: 0, channelCount: 2) }
        #expect(LoudnessMeter.loudness(of: []).integrated == nil)
    }

    @Test("an album is as loud as its tracks together, and tags say by how much to change them")
    func album() throws {
        let meters = try [-20.0, -26].map { level in
            let meter = try LoudnessMeter(sampleRate: 48_000, channelCount: 2)
            meter.append(sine(level, seconds: 10))
            return meter
        }
        let album = LoudnessMeter.loudness(of: meters)
        let power = (pow(10, -2.0) + pow(10, -2.6)) / 2
        #expect(abs((album.integrated ?? 0) - 10 * log10(power)) < 0.15)
        let tags = Loudness(integrated: -10.5, range: 5, truePeak: 0, samplePeak: 1).replayGainTags(album: album)
        #expect(tags["REPLAYGAIN_TRACK_GAIN"] == "-7.50 dB" && tags["REPLAYGAIN_TRACK_PEAK"] == "1.000000")
        #expect(tags.count == 4)
        #expect(Loudness(integrated: nil, range: nil, truePeak: nil, samplePeak: nil).replayGainTags().isEmpty)
    }

    @Test("Opus has tags of its own, in steps of 1/256 dB")
    func r128() {
        func loudness(_ integrated: Double?) -> Loudness {
            Loudness(integrated: integrated, range: nil, truePeak: nil, samplePeak: nil)
        }
        let tags = loudness(-20.5).r128Tags(album: loudness(-24))
        #expect(tags == ["R128_TRACK_GAIN": "-640", "R128_ALBUM_GAIN": "256"])
        #expect(loudness(nil).r128Tags().isEmpty)
        #expect(loudness(-400).r128Tags() == ["R128_TRACK_GAIN": "32767"])
    }

    @Test("the files of an album are heard one by one and together, and what cannot be heard is told")
    func files() async throws {
        let music = packageFolder.appendingPathComponent("Samples/Music")
        let files = ["snodom.ogg", "nowhere.ogg", "win-game.ogg"].map { music.appendingPathComponent($0) }
        let measured = try await AlbumLoudness.measure(files)
        #expect(measured.tracks.map(\.url) == files)
        let levels = measured.tracks.map { try? $0.loudness.get().integrated }
        let (one, other) = (try #require(levels[0]), try #require(levels[2]))
        #expect(levels[1] == nil && one != other)
        let album = try #require(measured.album.integrated)
        #expect((min(one, other)...max(one, other)).contains(album))
        let task = Task { try await AlbumLoudness.measure(files) }
        task.cancel()
        let error = await #expect(throws: EarshotError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
    }
}
