public import EarshotCore

/// A packet of encoded audio.
public struct EncodedPacket: Hashable, Sendable {
    /// The encoded bytes.
    public let bytes: [UInt8]
    /// The time of its first frame, on the asset's timeline; negative for a packet that only primes the decoder; `nil`
    /// if the container does not state it.
    public let time: MediaTime?
    /// The duration; zero if the container does not state it.
    public let duration: MediaTime
    /// Frames at its begin that are not to be heard.
    public let leadingFrames: Int
    /// Frames at its end that are not to be heard.
    public let trailingFrames: Int

    /// A packet.
    ///
    /// - Parameters:
    ///   - bytes: The encoded bytes.
    ///   - time: The time of its first frame.
    ///   - duration: The duration.
    ///   - leadingFrames: Frames at its begin that are not to be heard.
    ///   - trailingFrames: Frames at its end that are not to be heard.
    public init(
        _ bytes: [UInt8],
        at time: MediaTime?,
        duration: MediaTime,
        leadingFrames: Int = 0,
        trailingFrames: Int = 0
    ) {
        self.bytes = bytes
        self.time = time
        self.duration = duration
        self.leadingFrames = leadingFrames
        self.trailingFrames = trailingFrames
    }
}
