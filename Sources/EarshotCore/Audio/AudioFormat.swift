/// The layout of linear PCM audio: rate, channels, and the type of one sample. Channels are interleaved.
public struct AudioFormat: Hashable, Sendable, CustomStringConvertible {
    /// The type of one sample.
    public enum SampleType: String, Hashable, Sendable, CaseIterable {
        /// Signed 16-bit integers in the machine's byte order; full scale is 32,768.
        case int16
        /// 32-bit floating point; full scale is 1.
        case float32

        /// The size of one sample, in bytes.
        public var byteCount: Int { self == .int16 ? 2 : 4 }
    }

    /// The sample rate, in hertz.
    public let sampleRate: Int
    /// The number of channels, which is the number of samples in one frame.
    public let channelCount: Int
    /// The type of one sample.
    public let sampleType: SampleType

    /// Creates a format. Values are not checked: the reader of the audio reports a format that it cannot use.
    public init(sampleRate: Int, channelCount: Int, sampleType: SampleType = .float32) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleType = sampleType
    }

    /// The rate, channels and sample type as text, for example `44100 Hz, 2 ch, float32`.
    public var description: String { "\(sampleRate) Hz, \(channelCount) ch, \(sampleType.rawValue)" }
}
