public import EarshotCore

extension LiveSource {
    /// The output format, and the treatment of interruptions.
    public struct Options: Hashable, Sendable {
        /// The sample rate of the output, in hertz (1,000 to 768,000); `nil` for the stream's own.
        public var sampleRate: Int?
        /// The number of output channels. Default: the stream's own.
        public var channels: AssetReader.ChannelChoice = .source
        /// The type of the output samples. Default: 32-bit floating point.
        public var sampleType: AudioFormat.SampleType = .float32
        /// The duration of a block. Default: 100 ms. A block before a gap may be shorter.
        public var blockDuration = MediaTime(value: 100, timescale: 1_000)
        /// The duration of audio that is buffered for a slow reader; beyond it no more is read from the server.
        /// Default: 10 s.
        public var capacity = MediaTime(value: 10, timescale: 1)
        /// The delays between attempts to reopen a lost stream. Files and pipes are never reopened.
        public var reconnecting = ReconnectPolicy.network
        /// The time without data after which a stream counts as lost; `nil` for never. Default: 10 s.
        public var stallDuration: MediaTime? = MediaTime(value: 10, timescale: 1)

        /// Creates the default options: the stream's own sample rate and channels, 32-bit floating point, blocks of 100
        /// ms.
        public init() {}

        /// Creates options. The other options have their defaults.
        ///
        /// - Parameters:
        ///   - sampleRate: The sample rate of the output, in hertz; `nil` for the stream's own.
        ///   - channels: The number of output channels.
        ///   - sampleType: The type of the output samples.
        ///   - reconnects: `true` to reopen a lost stream; otherwise the sequence throws.
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
