import EarshotMusic
public import Foundation

/// A stretch in which a monitor listened to a channel: from the first audio of a run to the last. The gaps within it are
/// ``StreamGap``s; outside of all stretches nobody listened.
public struct DetectedInterval: Hashable, Sendable, Codable {
    /// The channel.
    public var channel: PlayChannel
    /// The time of the run's first audio; channel and start identify the interval.
    public var start: Date
    /// Until when it was heard so far.
    public var end: Date

    /// A stretch.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - start: The time of the run's first audio.
    ///   - end: Until when it was heard so far.
    public init(channel: PlayChannel, start: Date, end: Date) {
        (self.channel, self.start, self.end) = (channel, start, end)
    }

    /// The stretch as it is kept: dates to the millisecond, the end not before the start. Nothing for a channel without a name, a
    /// name of more than 512 bytes, and a start that is no date.
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
