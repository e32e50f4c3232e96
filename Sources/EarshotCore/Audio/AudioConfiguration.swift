/// The layout of PCM audio in bytes, as a microphone delivers it and a monitor accepts it.
///
/// The default suits most apps: a microphone, 44,100 Hz, signed 16-bit samples, mono.
public struct AudioConfiguration: Hashable, Sendable, CustomStringConvertible {
    /// The kind of source that audio comes from, which decides how a monitor treats it.
    public enum Algorithm: String, Hashable, Sendable, Codable, CaseIterable {
        /// A microphone in a room: with noise, echoes and other sources.
        case microphone
        /// A line input from the receiver: only the program, without noise.
        case lineIn
    }

    /// The encoding of one sample.
    public enum SampleFormat: String, Hashable, Sendable, Codable, CaseIterable {
        /// Signed 8-bit integers.
        case pcm8
        /// Signed 16-bit integers, little-endian.
        case pcm16
        /// 32-bit floating point, little-endian; full scale is 1.
        case float32

        /// The size of one sample, in bytes.
        public var byteCount: Int {
            switch self {
            case .pcm8: 1
            case .pcm16: 2
            case .float32: 4
            }
        }
    }

    /// The supported sample rates, in hertz.
    public static let sampleRates = [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000]

    /// The kind of source that the audio comes from.
    public var algorithm: Algorithm
    /// The sample rate, in hertz.
    public var sampleRate: Int
    /// The encoding of one sample.
    public var format: SampleFormat
    /// The number of channels: 1 for mono, 2 for interleaved stereo.
    public var channels: Int

    /// Creates a configuration. Values are checked by ``check()``.
    ///
    /// - Parameters:
    ///   - algorithm: The kind of source that the audio comes from.
    ///   - sampleRate: The sample rate in hertz, one of ``sampleRates``.
    ///   - format: The encoding of one sample.
    ///   - channels: The number of channels: 1 or 2.
    public init(
        algorithm: Algorithm = .microphone,
        sampleRate: Int = 44_100,
        format: SampleFormat = .pcm16,
        channels: Int = 1
    ) {
        self.algorithm = algorithm
        self.sampleRate = sampleRate
        self.format = format
        self.channels = channels
    }

    /// The size of one frame, in bytes: 2 for 16-bit mono, 4 for 16-bit stereo.
    public var bytesPerFrame: Int { format.byteCount * channels }

    /// The rate, channels and format as text, for example `44100 Hz, 1 ch, pcm16`.
    public var description: String { "\(sampleRate) Hz, \(channels) ch, \(format.rawValue)" }

    /// Checks that the sample rate and the number of channels are supported.
    ///
    /// - Throws: `audioFormatInvalid` if they are not.
    public func check() throws(EarshotError) {
        guard Self.sampleRates.contains(sampleRate) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio at \(sampleRate) Hz is not taken: give 8,000, 11,025, 16,000, 22,050, 32,000, 44,100 or "
                    + "48,000 Hz."
            )
        }
        guard (1...2).contains(channels) else {
            throw EarshotError(
                .audioFormatInvalid,
                "Audio with \(channels) channels is not taken: give 1 or 2."
            )
        }
    }
}
