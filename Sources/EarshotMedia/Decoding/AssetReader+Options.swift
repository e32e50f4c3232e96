public import EarshotCore

extension AssetReader {
    /// The choice of one of a container's audio streams.
    public enum StreamChoice: Hashable, Sendable {
        /// The stream that a player would choose.
        case best
        /// The one with this ``AudioStream/index``.
        case index(Int)
    }

    /// The number of output channels.
    public enum ChannelChoice: Hashable, Sendable {
        /// The channels of the source, without mixing.
        case source
        /// One; several are mixed into it, two at half their level each, so that the sum stays within full scale.
        case mono
        /// Two; more are mixed into them, one is given to both.
        case stereo
        /// The given number of channels, 1 to 8, in the usual layout for that number, such as 5.1 for six; mixed from
        /// the source's.
        case count(Int)
    }

    /// The part to read, and the output format.
    public struct Options: Hashable, Sendable {
        /// The audio stream. Default: the best one.
        public var stream: StreamChoice = .best
        /// Frames a second of the output, in hertz (1,000 to 768,000); the source's own if `nil`.
        public var sampleRate: Int?
        /// The number of output channels. Default: the source's own.
        public var channels: ChannelChoice = .source
        /// The type of one sample; 32-bit floating point unless stated.
        public var sampleType: AudioFormat.SampleType = .float32
        /// The part to read, on the asset's timeline; everything if `nil`.
        ///
        /// Its ends are rounded to the nearest frame of the output. The result is exactly that part of the whole: if a
        /// format has no entry at an exact sample, earlier audio is decoded and dropped.
        public var range: Range<MediaTime>?
        /// Frames in one block; the last one, and one before a gap, may be shorter. At least 1.
        ///
        /// By default, a block of 16-bit stereo takes 65,536 bytes.
        public var blockFrames = 16_384

        /// Everything of the best stream, in the source's rate and channels, as 32-bit floating point.
        public init() {}

        /// Options other than the preset ones.
        ///
        /// - Parameters:
        ///   - stream: The audio stream.
        ///   - sampleRate: Frames a second of the output, in hertz; the source's own if `nil`.
        ///   - channels: The number of output channels.
        ///   - sampleType: The type of one sample.
        ///   - range: The part to read, on the asset's timeline; everything if `nil`.
        ///   - blockFrames: Frames in one block.
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
