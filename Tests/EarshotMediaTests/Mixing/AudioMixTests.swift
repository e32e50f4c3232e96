import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

/// Blocks as a source.
private struct Blocks: AudioSource {
    typealias Element = AudioBlock
    let blocks: [AudioBlock]
    var expectedDuration: MediaTime? { blocks.last?.endTime }

    init(_ samples: [[Float]], rate: Int = 1_000, at times: [Int64]) {
        blocks = zip(samples, times).map {
            AudioBlock(AudioBuffer($0, sampleRate: rate), at: MediaTime(frames: $1, sampleRate: rate))
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: blocks[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<AudioBlock>
        mutating func next() async throws -> AudioBlock? { rest.popFirst() }
    }
}

@Suite("Several sources as one")
struct AudioMixTests {
    private static let format = AudioFormat(sampleRate: 1_000, channelCount: 1)

    private func samples(_ mix: AudioMix) async throws -> [Float] {
        var (all, position): ([Float], Int64) = ([], 0)
        for try await block in mix {
            #expect(block.time == MediaTime(frames: position, sampleRate: block.buffer.sampleRate))
            position += Int64(block.buffer.frameCount)
            if case .float32(let samples) = block.buffer.samples { all += samples }
        }
        return all
    }

    @Test("Samples add up with their gains, from their times on, and gaps are silence", .requirements("R-MR-073"))
    func sums() async throws {
        let one = Blocks([[1, 2, 3], [4, 5]], at: [0, 5])
        let two = Blocks([[10, 20, 30, 40]], at: [0])
        let parts: [AudioMix.Part] = [
            .init(one), .init(two, gain: 0.5, at: MediaTime(frames: 2, sampleRate: 1_000)),
        ]
        for blockFrames in [1, 2, 3, 7, 100] {
            let mix = try AudioMix(parts, format: Self.format, blockFrames: blockFrames)
            #expect(try await samples(mix) == [1, 2, 8, 10, 15, 24, 5])
            #expect(mix.expectedDuration == MediaTime(frames: 7, sampleRate: 1_000))
        }
    }

    @Test("What lies before the begin is left out")
    func early() async throws {
        let source = Blocks([[1, 2, 3, 4, 5]], at: [0])
        let mix = try AudioMix([.init(source, at: MediaTime(frames: -3, sampleRate: 1_000))], format: Self.format)
        #expect(try await samples(mix) == [4, 5])
    }

    @Test("Sources in any pieces give the sum of the whole")
    func pieces() async throws {
        await asyncProperty("random cuts and places", rounds: 50) { random in
            var expected = [Float](repeating: 0, count: 400)
            var end = 0
            var parts: [AudioMix.Part] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let offset = Int.random(in: 0..<100, using: &random)
                var (pieces, times): ([[Float]], [Int64]) = ([], [])
                var place = 0
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    place += Int.random(in: 0..<10, using: &random)
                    let piece = (0..<Int.random(in: 1...30, using: &random)).map { _ in
                        Float(Int.random(in: -8...8, using: &random))
                    }
                    for (index, sample) in piece.enumerated() { expected[offset + place + index] += sample }
                    pieces.append(piece)
                    times.append(Int64(place))
                    place += piece.count
                }
                end = max(end, offset + place)
                let start = MediaTime(frames: Int64(offset), sampleRate: 1_000)
                parts.append(.init(Blocks(pieces, at: times), at: start))
            }
            let blockFrames = Int.random(in: 1...64, using: &random)
            guard let mix = try? AudioMix(parts, format: Self.format, blockFrames: blockFrames),
                let mixed = try? await samples(mix)
            else { return false }
            return mixed == Array(expected[..<end])
        }
    }

    @Test("Another format is refused with a word of what is wanted", .requirements("R-MR-012"))
    func formats() async throws {
        let other = try AudioMix([.init(Blocks([[1]], rate: 8_000, at: [0]))], format: Self.format)
        let error = await #expect(throws: EarshotError.self) { for try await _ in other {} }
        #expect(error?.code == .audioFormatInvalid)
        #expect(throws: EarshotError.self) { try AudioMix([], format: Self.format) }
        let short = AudioFormat(sampleRate: 1_000, channelCount: 1, sampleType: .int16)
        let refused = #expect(throws: EarshotError.self) {
            try AudioMix([.init(Blocks([[1]], at: [0]))], format: short)
        }
        #expect(refused?.code == .pipelineRefused)
    }

    @Test("All tracks of a file are heard together", .requirements("R-MR-073"))
    func tracks() async throws {
        let asset = try await Asset.load(Fixtures.url("multi.mkv"))
        let mix = try await AudioMix.tracks(of: asset)
        let mixed = try await samples(mix)
        var options = AssetReader.Options()
        options.sampleRate = mix.format.sampleRate
        options.channels = .count(mix.format.channelCount)
        var expected: [Float] = []
        for stream in asset.streams {
            options.stream = .index(stream.index)
            let part = try await AudioMix([.init(AssetReader(asset, options: options))], format: mix.format)
            let samples = try await samples(part)
            expected += [Float](repeating: 0, count: max(0, samples.count - expected.count))
            for (index, sample) in samples.enumerated() { expected[index] += sample }
        }
        #expect(asset.streams.count > 1 && mixed == expected)
        let error = await #expect(throws: EarshotError.self) { _ = try await AudioMix.tracks(of: asset, [99]) }
        #expect(error?.code == .pipelineRefused)
    }
}
