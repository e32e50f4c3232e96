import Earshot
import EarshotCore
import EarshotMedia
import Foundation

/// Audio in memory, 16 kHz mono.
public struct Recording: Sendable {
    /// Samples a second.
    public static let sampleRate = 16_000

    /// The samples; full scale is 1.
    public var samples: [Float]

    /// Audio of samples.
    public init(_ samples: [Float]) { self.samples = samples }

    /// Decodes a file.
    ///
    /// - Throws: What reading it throws.
    public init(contentsOf url: URL) throws {
        let options = AssetReader.Options(sampleRate: Self.sampleRate, channels: .mono)
        let decoder = try AudioDecoder(url, options: options)
        samples = []
        while let block = try decoder.next() {
            if case .float32(let part) = block.buffer.samples { samples.append(contentsOf: part) }
        }
    }

    /// How long it is, in seconds.
    public var seconds: Double { Double(samples.count) / Double(Self.sampleRate) }

    /// The signature of the samples.
    public func signature() throws -> Signature {
        var generator = SignatureGenerator()
        try generator.append(AudioBuffer(samples, sampleRate: Self.sampleRate))
        return generator.signature()
    }

    /// The mean of the squares.
    public var power: Double {
        samples.isEmpty ? 0 : samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    /// A piece, in samples, as far as there is one.
    public func piece(from start: Int, count: Int) -> Recording {
        let first = min(max(0, start), samples.count)
        return Recording(Array(samples[first..<min(samples.count, first + count)]))
    }

    /// Whether there is sound nearly everywhere: four fifths of all quarter seconds are above −50 dB, and no second is
    /// below −60 dB, of full scale.
    public var hasSound: Bool {
        let quarter = Self.sampleRate / 4
        let powers = stride(from: 0, to: samples.count - quarter + 1, by: quarter).map {
            piece(from: $0, count: quarter).power
        }
        guard !powers.isEmpty, powers.count(where: { $0 > 1e-5 }) * 5 >= powers.count * 4 else { return false }
        guard powers.count >= 4 else { return true }
        return (0...powers.count - 4).allSatisfy { powers[$0..<$0 + 4].reduce(0, +) / 4 > 1e-6 }
    }

    /// With other audio added, so that this one is louder by so many decibels.
    public func mixed(with noise: Recording, ratio decibels: Double) -> Recording {
        let gain = noise.power > 0 ? (power / noise.power / pow(10, decibels / 10)).squareRoot() : 0
        return Recording(zip(samples, noise.samples).map { $0 + Float(gain) * $1 })
    }

    /// The signature of a whole file as `earshot catalog create` makes it: at the file's own rate and channels.
    ///
    /// - Throws: What reading it throws.
    public static func signature(of url: URL) throws -> Signature {
        var decoder = try AudioDecoder(url)
        if !SignatureGenerator.sampleRates.contains(decoder.format.sampleRate)
            || !SignatureGenerator.channelCounts.contains(decoder.format.channelCount)
        {
            decoder = try AudioDecoder(url, options: AssetReader.Options(sampleRate: 48_000, channels: .stereo))
        }
        var generator = SignatureGenerator(gaps: .fillWithSilence)
        while let block = try decoder.next() { try generator.append(block.buffer, at: block.time) }
        return generator.signature()
    }
}
