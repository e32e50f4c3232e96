import EarshotMusic
public import Foundation

/// An interval in which a monitor received a channel, from the first audio of a run to the last. Gaps within it are
/// ``StreamGap``s. Outside of all intervals the channel was not monitored.
public struct DetectedInterval: Hashable, Sendable, Codable {
    /// The channel.
    public var channel: PlayChannel
    /// The time of the run's first audio; channel and start identify the interval.
    public var start: Date
    /// The time up to which it was received so far.
    public var end: Date

    /// Creates an interval.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The time of the run's first audio.
    ///   - end: The time up to which it was received so far.
    public init(channel: PlayChannel, start: Date, end: Date) {
        (self.channel, self.start, self.end) = (channel, start, end)
    }

    /// Returns the interval in the form that stores keep: times to the millisecond, and the end not before the start.
    /// `nil` if the channel's identifier is empty or longer than 512 bytes, or if the start is outside of the years 1
    /// to 9999.
    package func checked() -> DetectedInterval? {
        guard (1...PlayRecord.maximumIdentifierSize).contains(channel.id.rawValue.utf8.count),
            let start = PlaylogTime.milliseconds(start)
        else { return nil }
        return DetectedInterval(
            channel: channel,
            start: PlaylogTime.date(start),
            end: PlaylogTime.date(max(start, PlaylogTime.bounded(end)))
        )
    }
}
