/// A buffer with the time of its first frame.
public struct AudioBlock: Hashable, Sendable {
    /// The samples.
    public let buffer: AudioBuffer
    /// When the first frame is heard, on the source's own timeline.
    public let time: MediaTime

    /// A buffer that begins at a time.
    public init(_ buffer: AudioBuffer, at time: MediaTime) {
        self.buffer = buffer
        self.time = time
    }

    /// When the frame after the last one would be heard.
    public var endTime: MediaTime { time + buffer.duration }
}
