public import EarshotCore

/// A piece of encoded sound, as it lies in its container.
public struct EncodedPacket: Hashable, Sendable {
    /// What the codec made.
    public let bytes: [UInt8]
    /// When its first frame is heard, on the asset's timeline: below zero for what a decoder only needs to settle. Absent where the
    /// container does not say.
    public let time: MediaTime?
    /// How long it lasts; zero where the container does not say.
    public let duration: MediaTime
    /// Frames at its begin that are not to be heard.
    public let leadingFrames: Int
    /// Frames at its end that are not to be heard.
    public let trailingFrames: Int

    /// A packet.
    ///
    /// - Parameters:
    ///   - bytes: What the codec made.
    ///   - time: When its first frame is heard.
    ///   - duration: How long it lasts.
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
