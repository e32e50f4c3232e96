public import EarshotCore
public import Foundation

/// Interleaved samples that an app provides, of one, two or four bytes each.
public struct PCMBuffer: Hashable, Sendable {
    /// The samples, interleaved: of one byte from 0 to 255 with silence at 128, of two bytes signed, of four bytes floating
    /// point with full scale at 1. Bytes of one sample come the low one first.
    public let samples: Data
    /// 1, 2 or 4.
    public let bytesPerSample: Int
    /// Samples in one frame.
    public let channelCount: Int
    /// Frames a second, in hertz.
    public let sampleRate: Int

    /// Samples.
    ///
    /// - Parameters:
    ///   - samples: Whole frames, interleaved.
    ///   - bytesPerSample: 1 (unsigned), 2 (signed) or 4 (floating point).
    ///   - channelCount: Samples in one frame.
    ///   - sampleRate: Frames a second, in hertz.
    /// - Throws: `audioFormatInvalid` for another number of bytes, no channel, no rate, and a frame that is cut off.
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

    /// The samples of a buffer.
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

    /// Frames held.
    public var frameCount: Int { samples.count / (bytesPerSample * channelCount) }
    /// The duration of the samples.
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
