/// A buffer of audio with the time of its first frame.
public struct AudioBlock: Hashable, Sendable {
    /// The audio of the block.
    public let buffer: AudioBuffer
    /// The time of the first frame, on the source's own timeline.
    public let time: MediaTime

    /// Creates a block from a buffer and the time of its first frame.
    public init(_ buffer: AudioBuffer, at time: MediaTime) {
        self.buffer = buffer
        self.time = time
    }

    /// The time at which the block ends: ``time`` plus the duration of the buffer.
    public var endTime: MediaTime { time + buffer.duration }
}
