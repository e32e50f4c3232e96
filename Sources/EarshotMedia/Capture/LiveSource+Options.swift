public import EarshotCore

extension LiveSource {
    /// The output format, and the treatment of interruptions.
    public struct Options: Hashable, Sendable {
        /// Frames a second of the output, in hertz (1,000 to 768,000); the stream's own if `nil`.
        public var sampleRate: Int?
        /// The number of output channels. Default: the stream's own.
        public var channels: AssetReader.ChannelChoice = .source
        /// The type of one sample; 32-bit floating point unless stated.
        public var sampleType: AudioFormat.SampleType = .float32
        /// The duration of a block. Default: 100 ms. A block before a gap may be shorter.
        public var blockDuration = MediaTime(value: 100, timescale: 1_000)
        /// The duration of audio that is buffered for a slow reader; beyond it the server has to wait. Default: 10 s.
        public var capacity = MediaTime(value: 10, timescale: 1)
        /// The policy for reopening a stream that was lost. Files and pipes are never reopened.
        public var reconnecting = ReconnectPolicy.network
        /// The time without any data after which a stream counts as lost; `nil` for never.
        public var stallDuration: MediaTime? = MediaTime(value: 10, timescale: 1)

        /// The stream's own rate and channels, as 32-bit floating point, in blocks of 100 ms.
        public init() {}

        /// Options other than the preset ones.
        ///
        /// - Parameters:
        ///   - sampleRate: Frames a second of the output, in hertz; the stream's own if `nil`.
        ///   - channels: The number of output channels.
        ///   - sampleType: The type of one sample.
        ///   - reconnects: `true` if a stream that was lost is opened again; otherwise the sequence ends.
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

        /// The same for a reader of files.
        func reading(blockFrames: Int) -> AssetReader.Options {
            .init(sampleRate: sampleRate, channels: channels, sampleType: sampleType, blockFrames: blockFrames)
        }
    }
}
