import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("The spectrogram that a signature keeps for asking")
struct QueryLevelTests {
    private static let music = SyntheticMusic(seed: 72, duration: 6)

    /// Seconds of quiet noise, which costs less to make than music.
    private func generator(seconds: Int) throws -> SignatureGenerator {
        var generator = SignatureGenerator()
        for second in 0..<seconds {
            let samples = Degradation.noise(count: 16_000, seed: UInt64(second)).map { $0 * 0.1 }
            try generator.append(AudioBuffer(samples, sampleRate: 16_000))
        }
        return generator
    }

    @Test(
        "A recording of up to a minute has it, a longer one has not",
        arguments: [(59, true), (61, false), (130, false)]
    )
    func minute(seconds: Int, isThere: Bool) throws {
        #expect((try generator(seconds: seconds).signature().levels != nil) == isThere)
    }

    @Test("All of a long recording has it where that is asked for, and its slices are those of a short one")
    func all() throws {
        var long = SignatureGenerator(spectrogram: .all)
        var short = SignatureGenerator()
        for second in 0..<250 {
            let samples = Degradation.noise(count: 16_000, seed: UInt64(second)).map { $0 * 0.1 }
            try long.append(AudioBuffer(samples, sampleRate: 16_000))
            if second < 55 { try short.append(AudioBuffer(samples, sampleRate: 16_000)) }
        }
        let ten = MediaTime(value: 10, timescale: 1)
        let (whole, first) = (long.signature(), short.signature())
        for start in [0, 3.7, 10, 35.5, 44] {
            let time = MediaTime(seconds: start)
            let expected = try #require(first.slice(from: time, duration: ten).signature.levels)
            #expect(whole.slice(from: time, duration: ten).signature.levels?.values == expected.values)
        }
        // Across the rows that are packed and those that are not; whole frames, so that a part of a part has the same rows.
        for start in [112.0, 120, 176, 240] {
            let slice = whole.slice(from: MediaTime(seconds: start), duration: ten).signature
            let rows = try #require(slice.levels).rowCount
            #expect(abs(rows - 617) <= 2)
            let rest = long.signature(last: MediaTime(seconds: 250 - start)).signature
            #expect(slice.levels?.values == rest.slice(from: .zero, duration: ten).signature.levels?.values)
        }
        // What is sent to a service is a minute at most.
        #expect(!whole.hasSpectrogram)
        #expect(try Signature(data: whole.dataWithSpectrogram).levels == nil)
    }

    @Test("Of a stream that goes on, what was forgotten is gone")
    func forgetting() throws {
        var generator = SignatureGenerator(spectrogram: .all)
        for second in 0..<250 {
            let samples = Degradation.noise(count: 16_000, seed: UInt64(second)).map { $0 * 0.1 }
            try generator.append(AudioBuffer(samples, sampleRate: 16_000))
            generator.forget(before: MediaTime(value: Int64(max(0, second - 99)), timescale: 1))
        }
        let last = generator.signature(last: MediaTime(value: 100, timescale: 1)).signature
        #expect(abs((last.levels?.rowCount ?? 0) - 6_242) <= 2)
        #expect(generator.signature(last: MediaTime(value: 240, timescale: 1)).signature.levels == nil)
        #expect(generator.signature().levels == nil)
    }

    @Test("The end of a stream has it, however long the stream is", arguments: [20, 70, 125, 250])
    func tail(seconds: Int) throws {
        let slice = try generator(seconds: seconds).signature(last: MediaTime(value: 10, timescale: 1))
        let rows = try #require(slice.signature.levels).rowCount
        #expect(abs(rows - 617) <= 2)
    }

    @Test("A slice has the rows of its windows, and no others")
    func slice() throws {
        let whole = try Self.music.signature()
        let slice = whole.slice(from: MediaTime(value: 2, timescale: 1), duration: MediaTime(value: 2, timescale: 1))
            .signature
        let levels = try #require(slice.levels)
        let all = try #require(whole.levels)
        // 2 s are 125 frames of 16 ms, and the last window that lies inside begins 8 frames before the end.
        #expect(levels.rowCount == 125 - 8 + 1)
        let bins = all.values.count / all.rowCount
        #expect(levels.values == Array(all.values[125 * bins..<(125 + 118) * bins]))
    }

    @Test("It is not part of what a signature is: files keep it only on demand, and it does not tell signatures apart")
    func equality() throws {
        let signature = try Self.music.signature()
        let read = try Signature(data: signature.data)
        #expect(signature.levels != nil)
        #expect(read.levels == nil)
        #expect(read == signature)
        #expect(read.hashValue == signature.hashValue)
    }
}

extension QueryLevelTests {
    @Test("A sine of full scale has a power of about 2¹⁷, which a byte can hold")
    func fullScale() throws {
        let samples = (0..<16_000).map { Float(sin(2 * .pi * 1_000 * Double($0) / 16_000)) }
        let levels = try #require(try Signature.of(samples).levels)
        let highest = try #require(levels.values.max())
        #expect(abs(Int(highest) - 30 - 17) <= 1)
    }
}
