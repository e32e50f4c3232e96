public import EarshotCore

extension AssetReader {
    /// The choice of one of a container's audio streams.
    public enum StreamChoice: Hashable, Sendable {
        /// The stream that a player would choose.
        case best
        /// The stream with this ``AudioStream/index``.
        case index(Int)
    }

    /// The number of output channels.
    public enum ChannelChoice: Hashable, Sendable {
        /// The channels of the source, without mixing.
        case source
        /// One channel. Several channels are mixed without exceeding full scale: two with half their level each.
        case mono
        /// Two channels. More channels are mixed; one channel is copied to both.
        case stereo
        /// The given number of channels, 1 to 8, in the usual layout for that number, such as 5.1 for six; mixed from
        /// the source's.
        case count(Int)
    }

    /// The part to read, and the output format.
    public struct Options: Hashable, Sendable {
        /// The audio stream. Default: the best one.
        public var stream: StreamChoice = .best
        /// The sample rate of the output, in hertz (1,000 to 768,000); `nil` for the source's own.
        public var sampleRate: Int?
        /// The number of output channels. Default: the source's own.
        public var channels: ChannelChoice = .source
        /// The type of the output samples. Default: 32-bit floating point.
        public var sampleType: AudioFormat.SampleType = .float32
        /// The part to read, on the asset's timeline; `nil` for everything.
        ///
        /// Its ends are rounded to the nearest frame of the output. The result is exactly that part of the whole: if a
        /// format has no entry at an exact sample, earlier audio is decoded and dropped.
        public var range: Range<MediaTime>?
        /// The number of frames in a block, at least 1; the last block, and one before a gap, may be shorter. Default:
        /// 16,384.
        ///
        /// By default, a block of 16-bit stereo takes 65,536 bytes.
        public var blockFrames = 16_384

        /// Creates the default options: all of the best stream, the source's sample rate and channels, 32-bit floating
        /// point.
        public init() {}

        /// Creates options.
        ///
        /// - Parameters:
        ///   - stream: The audio stream.
        ///   - sampleRate: The sample rate of the output, in hertz; `nil` for the source's own.
        ///   - channels: The number of output channels.
        ///   - sampleType: The type of the output samples.
        ///   - range: The part to read, on the asset's timeline; `nil` for everything.
        ///   - blockFrames: The number of frames in a block.
        public init(
            stream: StreamChoice = .best,
            sampleRate: Int? = nil,
            channels: ChannelChoice = .source,
            sampleType: AudioFormat.SampleType = .float32,
            range: Range<MediaTime>? = nil,
            blockFrames: Int = 16_384
        ) {
            self.stream = stream
            self.sampleRate = sampleRate
            self.channels = channels
            self.sampleType = sampleType
            self.range = range
            self.blockFrames = blockFrames
        }
    }
}
