public import EarshotCore

/// A packet of encoded audio.
public struct EncodedPacket: Hashable, Sendable {
    /// The encoded bytes of the packet.
    public let bytes: [UInt8]
    /// The time of its first frame, on the asset's timeline; negative for a packet that only initializes the decoder;
    /// `nil` if the container does not state it.
    public let time: MediaTime?
    /// The duration of the packet; zero if the container does not state it.
    public let duration: MediaTime
    /// The number of frames at the beginning that a player must skip.
    public let leadingFrames: Int
    /// The number of frames at the end that a player must skip.
    public let trailingFrames: Int

    /// Creates a packet.
    ///
    /// - Parameters:
    ///   - bytes: The encoded bytes.
    ///   - time: The time of its first frame, on the asset's timeline; `nil` if unknown.
    ///   - duration: The duration; zero if unknown.
    ///   - leadingFrames: The number of frames at the beginning that a player must skip.
    ///   - trailingFrames: The number of frames at the end that a player must skip.
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
