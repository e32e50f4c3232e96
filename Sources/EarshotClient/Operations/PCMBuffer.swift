public import EarshotCore
public import Foundation

/// Interleaved samples that an app provides, of one, two or four bytes each.
public struct PCMBuffer: Hashable, Sendable {
    /// The interleaved samples: unsigned with silence at 128 if of one byte, signed if of two, floating point with full
    /// scale at 1 if of four. Little-endian.
    public let samples: Data
    /// The size of one sample, in bytes: 1, 2 or 4.
    public let bytesPerSample: Int
    /// The number of channels, which is the number of samples in one frame.
    public let channelCount: Int
    /// The sample rate, in hertz.
    public let sampleRate: Int

    /// Creates a buffer from bytes.
    ///
    /// - Parameters:
    ///   - samples: Whole frames, interleaved, little-endian.
    ///   - bytesPerSample: 1 (unsigned), 2 (signed) or 4 (floating point).
    ///   - channelCount: The number of channels, 1 to 1024.
    ///   - sampleRate: The sample rate, in hertz.
    /// - Throws: `audioFormatInvalid` for another number of bytes, channels or frames a second, and for an incomplete
    ///   frame.
    public init(_ samples: Data, bytesPerSample: Int, channelCount: Int, sampleRate: Int) throws(EarshotError) {
        guard [1, 2, 4].contains(bytesPerSample) else {
            throw EarshotError(.audioFormatInvalid, "Samples of \(bytesPerSample) bytes are not taken: give 1, 2 or 4.")
        }
        guard (1...1024).contains(channelCount), sampleRate > 0 else {
            throw EarshotError(
                .audioFormatInvalid,
                "Samples with \(channelCount) channels at \(sampleRate) Hz cannot be used: give the format that they have."
            )
        }
        guard samples.count.isMultiple(of: bytesPerSample * channelCount) else {
            throw EarshotError(
                .audioFormatInvalid,
                "\(samples.count) bytes are no whole frames of \(bytesPerSample * channelCount) bytes: check the format."
            )
        }
        self.samples = samples
        self.bytesPerSample = bytesPerSample
        self.channelCount = channelCount
        self.sampleRate = sampleRate
    }

    /// Creates a buffer with the samples of an audio buffer, in two or four bytes each.
    public init(_ buffer: AudioBuffer) {
        var data = Data()
        switch buffer.samples {
        case .int16(let samples):
            bytesPerSample = 2
            for sample in samples { withUnsafeBytes(of: sample.littleEndian) { data.append(contentsOf: $0) } }
        case .float32(let samples):
            bytesPerSample = 4
            for sample in samples {
                withUnsafeBytes(of: sample.bitPattern.littleEndian) { data.append(contentsOf: $0) }
            }
        }
        samples = data
        channelCount = buffer.channelCount
        sampleRate = buffer.sampleRate
    }

    /// The number of frames in the buffer.
    public var frameCount: Int { samples.count / (bytesPerSample * channelCount) }
    /// The duration of the samples: ``frameCount`` divided by ``sampleRate``.
    public var duration: MediaTime { MediaTime(frames: Int64(frameCount), sampleRate: sampleRate) }

    /// The first frames as floating point numbers.
    func buffer(_ limit: MediaTime) -> AudioBuffer {
        let wanted = (limit.seconds * Double(sampleRate)).rounded(.up)
        let count = wanted >= Double(frameCount) ? frameCount : Int(max(0, wanted))
        let size = count * channelCount
        let floats: [Float] = samples.withUnsafeBytes { bytes in
            switch bytesPerSample {
            case 1: (0..<size).map { (Float(bytes[$0]) - 128) / 128 }
            case 2:
                (0..<size).map {
                    Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))) / 32_768
                }
            default:
                (0..<size).map {
                    let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
                    let sample = Float(bitPattern: bits)
                    return sample.isFinite ? sample : 0
                }
            }
        }
        return AudioBuffer(floats, sampleRate: sampleRate, channelCount: channelCount)
    }
}
