import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("Audio that a monitor is given")
struct MonitorIntakeTests {
    private static let music = SyntheticMusic(seed: 8, duration: 8)

    /// The bytes of samples in a form.
    static func bytes(_ samples: [Float], _ format: AudioConfiguration.SampleFormat) -> [UInt8] {
        switch format {
        case .pcm8: samples.map { UInt8(bitPattern: Int8(max(-128, min(127, ($0 * 128).rounded())))) }
        case .pcm16:
            samples.flatMap { sample in
                withUnsafeBytes(of: Int16(max(-32_768, min(32_767, (sample * 32_768).rounded()))).littleEndian) {
                    Array($0)
                }
            }
        case .float32: samples.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }
        }
    }

    /// The fingerprint of bytes that come in pieces of a size.
    private func fingerprint(_ bytes: [UInt8], _ configuration: AudioConfiguration, piece: Int) throws -> Signature {
        var decoder = PCMDecoder(configuration)
        var core = MonitorCore(properties: MonitorProperties(), keptAudio: 15, wallClock: { Stage.date })
        _ = core.start(.zero)
        var found: Signature?
        var first = 0
        var heard = MediaTime.zero
        while first < bytes.count {
            let part = Array(bytes[first..<min(bytes.count, first + piece)])
            first += piece
            guard let buffer = part.withUnsafeBytes({ decoder.append($0) }) else { continue }
            heard = heard + buffer.duration
            for output in core.append(buffer, heard) {
                if case .searchLocal(_, let signature) = output { found = signature }
            }
        }
        return try #require(found)
    }

    @Test("It does not matter how the bytes are cut", .requirements("R-ACR-050"))
    func cutting() throws {
        let bytes = Self.bytes(Self.music.samples(seconds: 7, sampleRate: 8_000), .pcm16)
        let configuration = AudioConfiguration(sampleRate: 8_000)
        let whole = try fingerprint(bytes, configuration, piece: 65_536)
        for piece in [1, 7, 1_024] { #expect(try fingerprint(bytes, configuration, piece: piece) == whole, "\(piece)") }
        #expect(whole.duration == MediaTime(value: 6, timescale: 1))
    }

    @Test("The suggested configuration", .requirements("R-ACR-042"))
    func suggested() {
        let configuration = AudioConfiguration()
        #expect(configuration.algorithm == .microphone)
        #expect(configuration.sampleRate == 44_100)
        #expect(configuration.format == .pcm16)
        #expect(configuration.channels == 1)
    }

    @Test("Frames have two bytes for mono of 16 bits, and four for stereo", .requirements("R-ACR-096"))
    func frames() {
        #expect(AudioConfiguration().bytesPerFrame == 2)
        #expect(AudioConfiguration(channels: 2).bytesPerFrame == 4)
        #expect(AudioConfiguration(format: .pcm8).bytesPerFrame == 1)
    }

    @Test(
        "Rates, formats and channels of one recording give one fingerprint's worth of the same music",
        .requirements("R-ACR-043", "R-ACR-044", "R-ACR-045", "R-ACR-046", "R-ACR-048", "R-ACR-049"),
        arguments: [
            AudioConfiguration(sampleRate: 8_000), AudioConfiguration(algorithm: .lineIn, sampleRate: 44_100),
            AudioConfiguration(sampleRate: 11_025), AudioConfiguration(sampleRate: 16_000),
            AudioConfiguration(sampleRate: 22_050), AudioConfiguration(sampleRate: 32_000),
            AudioConfiguration(sampleRate: 48_000), AudioConfiguration(sampleRate: 44_100, format: .pcm8),
            AudioConfiguration(sampleRate: 44_100, channels: 2),
            AudioConfiguration(sampleRate: 8_000, format: .float32),
        ]
    )
    func formats(configuration: AudioConfiguration) throws {
        #expect(abs(try position(configuration) - 20) < 0.1)
    }

    /// The place in a recording that its seven seconds from 20 s on are recognized at, in seconds.
    private func position(_ configuration: AudioConfiguration) throws -> Double {
        let reference = SyntheticMusic(seed: 8, duration: 40)
        var catalog = Catalog()
        try catalog.add(try reference.signature(), representing: [], id: "piece")
        try configuration.check()
        let mono: [Float] = reference.samples(from: 20, seconds: 7, sampleRate: configuration.sampleRate).map {
            $0 * 0.9
        }
        let samples = configuration.channels == 2 ? mono.flatMap { [$0, $0] } : mono
        let bytes = Self.bytes(samples, configuration.format)
        let query = try fingerprint(bytes, configuration, piece: 4_000)
        return try #require(try catalog.match(query)).references[0].offset.seconds
    }

    @Test("Mono and stereo are at one position", .requirements("R-ACR-046"), arguments: [8_000, 44_100])
    func channels(rate: Int) throws {
        let mono = try position(AudioConfiguration(sampleRate: rate))
        #expect(abs(try position(AudioConfiguration(sampleRate: rate, channels: 2)) - mono) < 0.1)
    }

    @Test("What cannot be used is refused by name", .requirements("R-ACR-047"))
    func refused() {
        for (configuration, word) in [
            (AudioConfiguration(channels: 3), "3 channels"), (AudioConfiguration(channels: 0), "0 channels"),
            (AudioConfiguration(sampleRate: 12_345), "12345 Hz"),
        ] {
            do throws(EarshotError) {
                try configuration.check()
                Issue.record("accepted")
            } catch {
                #expect(error.code == .audioFormatInvalid)
                #expect(error.message.contains(word))
            }
        }
    }

    @Test("What waits is the newest ten seconds; the rest is told to be missing", .requirements("R-ACR-053"))
    func overload() {
        let queue = InputQueue()
        for second in 0..<14 { queue.append(noise(1, seed: UInt64(second))) }
        let (buffers, dropped) = queue.takeAll()
        #expect(dropped == 4)
        #expect(buffers == (4..<14).map { noise(1, seed: UInt64($0)) })
        #expect(queue.takeAll().buffers.isEmpty)
    }

    @Test("Numbers that are none are silence")
    func notANumber() throws {
        var decoder = PCMDecoder(AudioConfiguration(format: .float32))
        let bytes = Self.bytes([.nan, .infinity, 0.5], .float32)
        #expect(bytes.withUnsafeBytes { decoder.append($0) }?.samples == .float32([0, 0, 0.5]))
    }
}
