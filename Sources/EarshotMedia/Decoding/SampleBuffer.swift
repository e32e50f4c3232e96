import CFFmpeg
import EarshotCore

/// Interleaved samples in one of the types that decoders give.
enum SampleBuffer: Sendable {
    case int16([Int16])
    case int32([Int32])
    case float32([Float])
    case float64([Double])

    /// The type of a sample.
    enum Kind: Hashable, Sendable {
        case int16, int32, float32, float64

        init(_ type: AudioFormat.SampleType) {
            self = type == .int16 ? .int16 : .float32
        }

        /// The narrowest that holds every sample of FFmpeg's formats as it is.
        init(holding format: AVSampleFormat) {
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16: self = .int16
            case AV_SAMPLE_FMT_S32: self = .int32
            case AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_S64: self = .float64
            default: self = .float32
            }
        }

        /// FFmpeg's name of interleaved samples of the type.
        var format: AVSampleFormat {
            switch self {
            case .int16: AV_SAMPLE_FMT_S16
            case .int32: AV_SAMPLE_FMT_S32
            case .float32: AV_SAMPLE_FMT_FLT
            case .float64: AV_SAMPLE_FMT_DBL
            }
        }

        var byteCount: Int {
            switch self {
            case .int16: 2
            case .int32, .float32: 4
            case .float64: 8
            }
        }
    }

    /// No samples yet.
    init(_ kind: Kind) {
        switch kind {
        case .int16: self = .int16([])
        case .int32: self = .int32([])
        case .float32: self = .float32([])
        case .float64: self = .float64([])
        }
    }

    /// The samples of a buffer.
    init(_ samples: AudioBuffer.Samples) {
        switch samples {
        case .int16(let samples): self = .int16(samples)
        case .float32(let samples): self = .float32(samples)
        }
    }

    /// The type of every sample.
    var kind: Kind {
        switch self {
        case .int16: .int16
        case .int32: .int32
        case .float32: .float32
        case .float64: .float64
        }
    }

    /// Samples, all channels counted.
    var count: Int {
        switch self {
        case .int16(let samples): samples.count
        case .int32(let samples): samples.count
        case .float32(let samples): samples.count
        case .float64(let samples): samples.count
        }
    }

    /// Adds samples of the same type.
    ///
    /// - Parameters:
    ///   - bytes: The address of the samples.
    ///   - offset: Samples to leave out before them.
    ///   - count: The number of samples.
    ///   - capacity: For how many in all there shall be room.
    mutating func append(_ bytes: UnsafeRawPointer, offset: Int, count: Int, capacity: Int) {
        // Each case gives its array up before it grows, or the array would be copied.
        switch self {
        case .int16(var samples):
            self = .int16([])
            Self.append(bytes, offset: offset, count: count, capacity: capacity, to: &samples)
            self = .int16(samples)
        case .int32(var samples):
            self = .int32([])
            Self.append(bytes, offset: offset, count: count, capacity: capacity, to: &samples)
            self = .int32(samples)
        case .float32(var samples):
            self = .float32([])
            Self.append(bytes, offset: offset, count: count, capacity: capacity, to: &samples)
            self = .float32(samples)
        case .float64(var samples):
            self = .float64([])
            Self.append(bytes, offset: offset, count: count, capacity: capacity, to: &samples)
            self = .float64(samples)
        }
    }

    private static func append<Sample: BitwiseCopyable>(
        _ bytes: UnsafeRawPointer,
        offset: Int,
        count: Int,
        capacity: Int,
        to samples: inout [Sample]
    ) {
        if samples.isEmpty { samples.reserveCapacity(capacity) }
        let source = bytes.assumingMemoryBound(to: Sample.self) + offset
        samples.append(contentsOf: UnsafeBufferPointer(start: source, count: count))
    }

    /// The samples as a buffer has them: those of 32-bit integers and of 64-bit numbers rounded to 32-bit numbers.
    var bufferSamples: AudioBuffer.Samples {
        switch self {
        case .int16(let samples): .int16(samples)
        case .int32(let samples): .float32(samples.map { Float($0) / 2_147_483_648 })
        case .float32(let samples): .float32(samples)
        case .float64(let samples): .float32(samples.map { Float($0) })
        }
    }

    /// The same without so many samples at its begin.
    func dropping(_ count: Int) -> SampleBuffer {
        switch self {
        case .int16(let samples): .int16(Array(samples.dropFirst(count)))
        case .int32(let samples): .int32(Array(samples.dropFirst(count)))
        case .float32(let samples): .float32(Array(samples.dropFirst(count)))
        case .float64(let samples): .float64(Array(samples.dropFirst(count)))
        }
    }
}
