import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("From buffers to a signature")
struct SignatureGeneratorTests {
    private static let music = SyntheticMusic(seed: 21, duration: 3)

    /// The samples of a rendering in one of the two types, with one or two channels.
    private func cut(
        _ samples: [Float],
        rate: Int,
        isInteger: Bool,
        channels: Int,
        lengths: () -> Int
    ) -> [AudioBuffer] {
        var buffers: [AudioBuffer] = []
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + max(0, lengths()))
            let frames = samples[start..<end].flatMap { [Float](repeating: $0, count: channels) }
            buffers.append(
                isInteger
                    ? AudioBuffer(frames.map { Int16($0 * 32_767) }, sampleRate: rate, channelCount: channels)
                    : AudioBuffer(frames, sampleRate: rate, channelCount: channels)
            )
            start = end
        }
        return buffers
    }

    private func signature(of buffers: [AudioBuffer], timed: Bool = false) throws -> Signature {
        var generator = SignatureGenerator()
        var time = MediaTime(value: 1, timescale: 3)
        for buffer in buffers {
            try generator.append(buffer, at: timed ? time : nil)
            time += buffer.duration
        }
        return generator.signature()
    }

    @Test("Thirty seconds of audio give a signature of thirty seconds", .requirements("R-CC-001"))
    func duration() throws {
        let samples = SyntheticMusic(seed: 22, duration: 30).samples(sampleRate: 16_000)
        let buffers = cut(samples, rate: 16_000, isInteger: true, channels: 1) { 4_096 }
        let signature = try signature(of: buffers, timed: true)
        #expect(signature.duration == MediaTime(value: 30, timescale: 1))
        #expect(!signature.isEmpty)
        #expect((signature.landmarks.last?.time).map { $0 > 14_000 } == true)
        #expect(signature.configuration == .standard)
    }

    @Test("Any cutting into buffers gives the identical signature")
    func cutting() {
        property("cutting", rounds: 6) { generator in
            let rate = [8_000, 16_000, 22_050].randomElement(using: &generator) ?? 16_000
            let isInteger = Bool.random(using: &generator)
            let channels = Int.random(in: 1...2, using: &generator)
            let samples = Self.music.samples(seconds: 1.5, sampleRate: rate)
            let whole = cut(samples, rate: rate, isInteger: isInteger, channels: channels) { samples.count }
            let longest = [700, 3_000, 20_000].randomElement(using: &generator) ?? 700
            let pieces = cut(samples, rate: rate, isInteger: isInteger, channels: channels) {
                Int.random(in: 0...longest, using: &generator)
            }
            let expected = try signature(of: whole)
            let found = try signature(of: pieces)
            return expected == found && expected.data == found.data && !expected.isEmpty
        }
    }

    @Test("Blocks of 64, 1,024 and 8,192 frames are the same", .requirements("R-CC-006"))
    func blockSizes() throws {
        let samples = Self.music.samples(sampleRate: 22_050)
        let signatures = try [64, 1_024, 8_192].map { size in
            try signature(of: cut(samples, rate: 22_050, isInteger: false, channels: 1) { size })
        }
        #expect(signatures[0] == signatures[1])
        #expect(signatures[1] == signatures[2])
        #expect(signatures[0].data == signatures[2].data)
    }

    @Test("With exact times and without is the same", .requirements("R-CC-005"))
    func times() throws {
        let buffers = cut(Self.music.samples(), rate: 16_000, isInteger: false, channels: 1) { 1_000 }
        #expect(try signature(of: buffers, timed: true) == signature(of: buffers, timed: false))
    }

    @Test("Two equal channels are one; of two different ones the mean is taken")
    func channels() throws {
        let samples = Self.music.samples()
        let mono = try Signature.of(samples)
        let silent: [Float] = samples.flatMap { [$0 * 2, 0] }
        #expect(try signature(of: [AudioBuffer(silent, sampleRate: 16_000, channelCount: 2)]) == mono)
        let eight = samples.flatMap { [Float](repeating: $0, count: 8) }
        #expect(try signature(of: [AudioBuffer(eight, sampleRate: 16_000, channelCount: 8)]) == mono)
    }

    @Test("Integers and floating point of the same samples are the same")
    func sampleTypes() throws {
        let integers = Self.music.samples().map { Int16($0 * 32_767) }
        let floats = integers.map { Float($0) / 32_768 }
        #expect(try signature(of: [AudioBuffer(integers, sampleRate: 16_000)]) == Signature.of(floats))
    }

    @Test("Taking a signature does not end the generator", .requirements("R-CC-009"))
    func twice() throws {
        let samples = Self.music.samples()
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(Array(samples[..<20_000]), sampleRate: 16_000))
        let first = generator.signature()
        #expect(first == generator.signature())
        try generator.append(AudioBuffer(Array(samples[20_000...]), sampleRate: 16_000))
        let second = generator.signature()
        #expect(first.duration == MediaTime(value: 20_000, timescale: 16_000))
        #expect(second.duration > first.duration)
        #expect(second.landmarks.count > first.landmarks.count)
        // Having looked in between changes nothing.
        #expect(try second == Signature.of(samples))
    }

    @Test("A copy goes on by itself")
    func copies() throws {
        let samples = Self.music.samples()
        let other = SyntheticMusic(seed: 23, duration: 1).samples()
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(Array(samples[..<30_000]), sampleRate: 16_000))
        var copy = generator
        try copy.append(AudioBuffer(other, sampleRate: 16_000))
        try generator.append(AudioBuffer(Array(samples[30_000...]), sampleRate: 16_000))
        #expect(try generator.signature() == Signature.of(samples))
        #expect(try copy.signature() == Signature.of(samples[..<30_000] + other))
        #expect(copy.duration == MediaTime(value: 46_000, timescale: 16_000))
    }

    @Test("Silence, nothing, and less than a window give an empty signature", arguments: [0, 1, 2_047, 16_000])
    func silence(frames: Int) throws {
        let signature = try Signature.of([Float](repeating: 0, count: frames))
        #expect(signature.isEmpty)
        #expect(signature.duration == MediaTime(value: Int64(frames), timescale: 16_000))
        #expect(SignatureGenerator().signature().isEmpty)
        #expect(try Signature.of(Array(Self.music.samples().prefix(2_047))).isEmpty)
    }

    @Test("What is not a number is taken as silence, what is infinite or too loud cannot hurt")
    func notANumber() throws {
        var samples = Self.music.samples()
        let clean = try Signature.of(samples)
        for index in stride(from: 100, to: samples.count, by: 4_000) {
            samples[index] = [.nan, .infinity, -.infinity, .signalingNaN][index / 4_000 % 4]
        }
        let damaged = try Signature.of(samples)
        #expect(!damaged.isEmpty)
        #expect(Set(damaged.landmarks).intersection(clean.landmarks).count * 4 > clean.landmarks.count)
        let loud = try Signature.of(samples.map { $0.isFinite ? $0 * 1e36 : .greatestFiniteMagnitude })
        #expect(loud.duration == clean.duration)
        #expect(try Signature.of([Float](repeating: .nan, count: 16_000)).isEmpty)
    }

    @Test("A source is read to its end")
    func source() async throws {
        let samples = Self.music.samples()
        let blocks = stride(from: 0, to: samples.count, by: 5_000).map { start in
            AudioBlock(
                AudioBuffer(Array(samples[start..<min(start + 5_000, samples.count)]), sampleRate: 16_000),
                at: MediaTime(value: Int64(start), timescale: 16_000)
            )
        }
        let signature = try await SignatureGenerator.signature(from: BlockSource(blocks: blocks))
        #expect(try signature == Signature.of(samples))
    }
}

/// Audio that is there already.
private struct BlockSource: AudioSource {
    typealias Element = AudioBlock
    typealias Failure = any Error

    var blocks: [AudioBlock]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<AudioBlock>

        mutating func next() async throws -> AudioBlock? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: blocks[...]) }
}
