public import EarshotCore
import Foundation

extension Waveform {
    /// The resolution of the samples in a waveform file.
    public enum Resolution: Int, Hashable, Sendable, CaseIterable {
        /// 8 bits.
        case bits8 = 8
        /// 16 bits.
        case bits16 = 16

        var fullScale: Float { self == .bits8 ? 128 : 32_768 }
        var range: ClosedRange<Float> { self == .bits8 ? -128...127 : -32_768...32_767 }
    }

    /// More channels are no sound.
    private static let mostChannels = 64

    /// Returns the waveform as a data file of version 2 for BBC's audiowaveform and peaks.js. The file has no levels.
    ///
    /// - Parameter resolution: The resolution of samples.
    public func dataFile(_ resolution: Resolution = .bits8) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + buckets.count * 2 * resolution.rawValue / 8)
        func put(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        put(Int32(2))
        put(UInt32(resolution == .bits8 ? 1 : 0))
        put(Int32(clamping: sampleRate))
        put(Int32(clamping: framesPerBucket))
        put(UInt32(clamping: length))
        put(Int32(clamping: channelCount))
        for bucket in buckets {
            for value in [bucket.minimum, bucket.maximum] {
                let step = Self.step(value, resolution)
                if resolution == .bits8 { put(Int8(step)) } else { put(Int16(step)) }
            }
        }
        return bytes
    }

    /// Reads a data file of version 1 or 2.
    ///
    /// - Throws: `metadataInvalid` for anything else. Levels, which it does not have, are half the larger extreme.
    public init(dataFile bytes: [UInt8]) throws(EarshotError) {
        func invalid(_ what: String) -> EarshotError {
            EarshotError(.metadataInvalid, "This is no waveform file (\(what)): make it anew with `earshot waveform`.")
        }
        func word(_ place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        }
        guard bytes.count >= 20 else { throw invalid("it is too short") }
        let version = word(0)
        guard version == 1 || version == 2, version == 1 || bytes.count >= 24 else {
            throw invalid("version \(version)")
        }
        let resolution: Resolution = word(4) & 1 == 1 ? .bits8 : .bits16
        let (rate, frames, length) = (word(8), word(12), word(16))
        let channels = version == 2 ? word(20) : 1
        guard (1...10_000_000).contains(rate), (1...Int(Int32.max)).contains(frames),
            (1...Self.mostChannels).contains(channels)
        else { throw invalid("its head") }
        let start = version == 2 ? 24 : 20
        let size = resolution.rawValue / 8
        guard bytes.count - start == length * channels * 2 * size else { throw invalid("its length") }
        var values: [Float] = []
        values.reserveCapacity(length * channels * 2)
        for place in stride(from: start, to: bytes.count, by: size) {
            let step =
                size == 1
                ? Int(Int8(bitPattern: bytes[place]))
                : Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
            values.append(Float(step) / resolution.fullScale)
        }
        self.init(
            sampleRate: rate,
            channelCount: channels,
            framesPerBucket: frames,
            frameCount: Int64(length) * Int64(frames),
            buckets: stride(from: 0, to: values.count, by: 2).map {
                let (low, high) = (values[$0], values[$0 + 1])
                return WaveformBucket(minimum: low, maximum: high, rms: max(abs(low), abs(high)) / 2)
            }
        )
    }

    /// The same as JSON, with the levels besides, which viewers pass over.
    private struct Document: Encodable {
        let version = 2
        let channels: Int
        let sampleRate: Int
        let samplesPerPixel: Int
        let bits: Int
        let length: Int
        let data: [Int]
        let rms: [Int]

        enum CodingKeys: String, CodingKey {
            case version, channels, bits, length, data, rms
            case sampleRate = "sample_rate"
            case samplesPerPixel = "samples_per_pixel"
        }
    }

    /// Returns the waveform as JSON for audiowaveform and peaks.js, with an additional member `rms`: the level of each bucket.
    ///
    /// - Parameter resolution: The resolution of samples.
    public func json(_ resolution: Resolution = .bits8) throws(EarshotError) -> String {
        let document = Document(
            channels: channelCount,
            sampleRate: sampleRate,
            samplesPerPixel: framesPerBucket,
            bits: resolution.rawValue,
            length: length,
            data: buckets.flatMap { [Self.step($0.minimum, resolution), Self.step($0.maximum, resolution)] },
            rms: buckets.map { Self.step($0.rms, resolution) }
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return String(decoding: try encoder.encode(document), as: UTF8.self)
        } catch {
            throw EarshotError(
                .internalError,
                "A waveform cannot be written as JSON: please report this.",
                cause: error
            )
        }
    }

    private static func step(_ value: Float, _ resolution: Resolution) -> Int {
        let scaled = (value * resolution.fullScale).rounded()
        guard !scaled.isNaN else { return 0 }
        return Int(min(resolution.range.upperBound, max(resolution.range.lowerBound, scaled)))
    }
}
