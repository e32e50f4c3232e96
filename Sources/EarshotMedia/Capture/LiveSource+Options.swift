public import EarshotCore

extension LiveSource {
    /// In which format sound comes out, and what happens when it does not come.
    public struct Options: Hashable, Sendable {
        /// Frames a second of the output, in hertz (1,000 to 768,000); the stream's own if `nil`.
        public var sampleRate: Int?
        /// How many channels come out; the stream's own unless stated.
        public var channels: AssetReader.ChannelChoice = .source
        /// The type of one sample; 32-bit floating point unless stated.
        public var sampleType: AudioFormat.SampleType = .float32
        /// How long a block is; 100 ms unless stated. One before a gap may be shorter.
        public var blockDuration = MediaTime(value: 100, timescale: 1_000)
        /// How much sound waits for a slow reader before the server has to wait too; 10 s unless stated.
        public var capacity = MediaTime(value: 10, timescale: 1)
        /// How a stream that was lost is opened again. Files and pipes never are.
        public var reconnecting = ReconnectPolicy.network
        /// After how long without any data a stream counts as lost; never if `nil`.
        public var stallDuration: MediaTime? = MediaTime(value: 10, timescale: 1)

        /// The stream's own rate and channels, as 32-bit floating point, in blocks of 100 ms.
        public init() {}

        /// Options other than the preset ones.
        ///
        /// - Parameters:
        ///   - sampleRate: Frames a second of the output, in hertz; the stream's own if `nil`.
        ///   - channels: How many channels come out.
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
