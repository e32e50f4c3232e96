import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@Suite("Formats that are asked for")
struct ConversionTests {
    @Test(
        "Every block has the format asked for, and 65,536 bytes unless it is the last",
        .requirements("R-MR-014", "R-MR-057"),
        arguments: ["long.flac", "long.ogg", "tagged.mp3", "chirp.opus"]
    )
    func asked(_ name: String) async throws {
        let options = AssetReader.Options(sampleRate: 44_100, channels: .stereo, sampleType: .int16)
        let recording = try await Recording.read(Fixtures.url(name), options: options)
        #expect(recording.error == nil)
        for block in recording.blocks {
            #expect(block.buffer.sampleRate == 44_100)
            #expect(block.buffer.channelCount == 2)
            guard case .int16(let samples) = block.buffer.samples else {
                Issue.record("not 16-bit integers")
                return
            }
            #expect(samples.count == block.buffer.frameCount * 2)
        }
        #expect(recording.blocks.count > 1)
        #expect(recording.blocks.dropLast().allSatisfy { $0.buffer.frameCount == 16_384 })
    }

    @Test("Integers are the signal's, interleaved", .requirements("R-MR-014"))
    func integers() async throws {
        let options = AssetReader.Options(sampleRate: 44_100, channels: .stereo, sampleType: .int16)
        let recording = try await Recording.read(Fixtures.url("wav16.wav"), options: options)
        guard case .int16(let samples)? = recording.blocks.first?.buffer.samples else {
            Issue.record("not 16-bit integers")
            return
        }
        // The file's own bytes, little-endian behind its header.
        let bytes = samples.flatMap { sample in withUnsafeBytes(of: sample.littleEndian) { Array($0) } }
        #expect(bytes.count == 6_615 * 4)
        let isSame = try Fixtures.bytes("wav16.wav").suffix(bytes.count).elementsEqual(bytes)
        #expect(isSame)
    }

    @Test("The source's rate is kept unless another is asked for", .requirements("R-MR-025"))
    func sourceRate() async throws {
        #expect(try await AssetReader(Fixtures.url("wav24.wav")).format.sampleRate == 48_000)
        #expect(try await AssetReader(Fixtures.url("chirp.opus")).format.sampleRate == 48_000)
    }

    @Test("Resampled sound stays in place and keeps its length", arguments: [8_000, 16_000, 48_000, 96_000])
    func resampled(_ rate: Int) async throws {
        let recording = try await Recording.read(Fixtures.url("chirp.flac"), options: .init(sampleRate: rate))
        #expect(recording.frameCount == rate / 2)
        #expect(recording.start == .zero)
        let signal = TestSignal.samples(TestSignal.left, sampleRate: rate, count: rate / 2)
        let lag = TestSignal.lag(of: recording.channel(0), behind: signal, atMost: 20)
        #expect(lag.frames == 0)
        #expect(lag.likeness > 0.9999)
        // The edges of the filter aside, the samples themselves.
        let middle = 200..<rate / 2 - 200
        let difference = TestSignal.largestDifference(Array(recording.channel(0)[middle]), Array(signal[middle]))
        #expect(difference < 0.002)
    }

    @Test("Conversion to integers clips", .requirements("R-MR-028"))
    func clips() async throws {
        let url = Fixtures.url("loud.wav")
        let floats = try await Recording.read(url).channel(0)
        #expect((floats.max() ?? 0) > 1.49)
        let recording = try await Recording.read(url, options: .init(sampleType: .int16))
        guard case .int16(let samples)? = recording.blocks.first?.buffer.samples else {
            Issue.record("not 16-bit integers")
            return
        }
        for (float, integer) in zip(floats, samples) where abs(float) > 1 {
            #expect(integer == (float > 0 ? .max : .min))
        }
        #expect(samples.contains(.max) && samples.contains(.min))
    }

    @Test("Nothing is mixed unless asked", .requirements("R-MR-030"))
    func unmixed() async throws {
        let stereo = try await Recording.read(Fixtures.url("tagged.mp3"))
        #expect(stereo.format.channelCount == 2)
        #expect(TestSignal.largestDifference(stereo.channel(0), stereo.channel(1)) > 0.3)
        let surround = try await Recording.read(Fixtures.url("surround.wav"))
        #expect(surround.format.channelCount == 6)
        let left = TestSignal.samples(TestSignal.left, sampleRate: 8_000, count: 800)
        #expect(TestSignal.largestDifference(surround.channel(0), left) <= 1 / 32768)
        #expect(surround.channel(3).allSatisfy { $0 == 0 })
    }

    @Test("Two channels are mixed half and half, whatever their type", arguments: ["chirp.flac", "wav24.wav"])
    func mono(_ name: String) async throws {
        let stereo = try await Recording.read(Fixtures.url(name))
        let expected = zip(stereo.channel(0), stereo.channel(1)).map { ($0 + $1) / 2 }
        for type in AudioFormat.SampleType.allCases {
            let options = AssetReader.Options(channels: .mono, sampleType: type)
            let mono = try await Recording.read(Fixtures.url(name), options: options)
            #expect(mono.format.channelCount == 1)
            #expect(TestSignal.largestDifference(mono.channel(0), expected) <= 2 / 32768)
        }
    }

    @Test("Six channels are mixed to two and to one without passing full scale")
    func surround() async throws {
        for choice in [AssetReader.ChannelChoice.mono, .stereo] {
            let mixed = try await Recording.read(Fixtures.url("surround.wav"), options: .init(channels: choice))
            #expect(mixed.format.channelCount == (choice == .mono ? 1 : 2))
            #expect(mixed.frameCount == 800)
            #expect(mixed.interleaved.allSatisfy { abs($0) <= 1 })
            #expect(mixed.interleaved.contains { abs($0) > 0.1 })
        }
    }

    @Test("A mono source is given to both channels")
    func upmix() async throws {
        let stereo = try await Recording.read(Fixtures.url("wavfloat.wav"), options: .init(channels: .stereo))
        #expect(stereo.format.channelCount == 2)
        #expect(stereo.channel(0) == stereo.channel(1))
    }

    @Test("What cannot be delivered is refused", arguments: [(0, 1), (999, 1), (768_001, 1), (44_100, 0)])
    func refused(_ rate: Int, _ frames: Int) async throws {
        let error = await #expect(throws: EarshotError.self) {
            _ = try await AssetReader(
                Fixtures.url("wav16.wav"),
                options: .init(sampleRate: rate, blockFrames: frames)
            )
        }
        #expect(error?.code == .audioFormatInvalid)
        #expect(error?.message.contains("wav16.wav cannot be decoded") == true)
    }
}
