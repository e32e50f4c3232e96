public import EarshotCore

extension CaptureSource {
    /// The output format, and the treatment of interruptions.
    public struct Options: Hashable, Sendable {
        /// The sample rate of the output, in hertz (1,000 to 768,000); `nil` for the device's own.
        public var sampleRate: Int?
        /// The number of output channels. Default: the device's own.
        public var channels: AssetReader.ChannelChoice = .source
        /// The type of the output samples. Default: 32-bit floating point.
        public var sampleType: AudioFormat.SampleType = .float32
        /// The duration of a block. Default: 50 ms. A block before a gap may be shorter.
        public var blockDuration = MediaTime(value: 50, timescale: 1_000)
        /// The duration of audio that is buffered for a slow reader; beyond it the oldest is dropped. Default: 10 s.
        public var capacity = MediaTime(value: 10, timescale: 1)
        /// The delays between attempts to reopen a lost device.
        public var reconnecting = ReconnectPolicy()
        /// The time without audio from an open device after which `interrupted` is reported; `nil` for never. Default:
        /// 5 s.
        public var stallDuration: MediaTime? = MediaTime(value: 5, timescale: 1)

        /// Creates the default options: the device's own sample rate and channels, 32-bit floating point, blocks of 50
        /// ms.
        public init() {}

        /// Creates options. The other options have their defaults.
        ///
        /// - Parameters:
        ///   - sampleRate: The sample rate of the output, in hertz; `nil` for the device's own.
        ///   - channels: The number of output channels.
        ///   - sampleType: The type of the output samples.
        ///   - reconnects: `true` to reopen a lost device; otherwise the sequence throws.
        public init(
            sampleRate: Int? = nil,
            channels: AssetReader.ChannelChoice = .source,
            sampleType: AudioFormat.SampleType = .float32,
            reconnects: Bool = true
        ) {
            self.sampleRate = sampleRate
            self.channels = channels
            self.sampleType = sampleType
            if !reconnects { reconnecting = .never }
        }

        /// The frames of a block: at least one, at most a minute's.
        static func frames(_ duration: MediaTime, sampleRate: Int) -> Int {
            let frames = duration.converted(toTimescale: Int32(clamping: sampleRate))
            return frames.isNumeric ? Int(Swift.min(Swift.max(frames.value, 1), Int64(sampleRate) * 60)) : sampleRate
        }
    }
}
