public import EarshotCore

extension CaptureSource {
    /// The output format, and the treatment of interruptions.
    public struct Options: Hashable, Sendable {
        /// Frames a second of the output, in hertz (1,000 to 768,000); the device's own if `nil`.
        public var sampleRate: Int?
        /// The number of output channels. Default: the device's own.
        public var channels: AssetReader.ChannelChoice = .source
        /// The type of one sample; 32-bit floating point unless stated.
        public var sampleType: AudioFormat.SampleType = .float32
        /// The duration of a block. Default: 50 ms. A block before a gap may be shorter.
        public var blockDuration = MediaTime(value: 50, timescale: 1_000)
        /// The duration of audio that is buffered for a slow reader; beyond it the oldest is dropped. Default: 10 s.
        public var capacity = MediaTime(value: 10, timescale: 1)
        /// The policy for reopening a device that was lost.
        public var reconnecting = ReconnectPolicy()
        /// The time without audio from an open device after which `interrupted` is reported; `nil` for never.
        public var stallDuration: MediaTime? = MediaTime(value: 5, timescale: 1)

        /// The device's own rate and channels, as 32-bit floating point, in blocks of 50 ms.
        public init() {}

        /// Options other than the preset ones.
        ///
        /// - Parameters:
        ///   - sampleRate: Frames a second of the output, in hertz; the device's own if `nil`.
        ///   - channels: The number of output channels.
        ///   - sampleType: The type of one sample.
        ///   - reconnects: `true` if a device that was lost is tried again; otherwise the sequence throws.
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
