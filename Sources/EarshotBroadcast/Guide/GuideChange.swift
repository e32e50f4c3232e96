public import EarshotCore
public import EarshotMusic
public import Foundation

/// One change to a program guide.
public enum GuideChange: Hashable, Sendable {
    /// A work, which replaces the one with the same identifier. The same holds for programs and channels.
    case work(VideoWork)
    /// A program. Its work is also stored if the store does not have it.
    case program(Program)
    /// A channel.
    case channel(BroadcastChannel)
    /// An airing, which replaces the one that begins on its channel at the same time. Its channel and program are
    /// stored only if the store does not have them, because an airing carries only part of their details.
    case airing(Airing)
    /// The schedule of a channel in an interval, which replaces all airings that begin there within it.
    case schedule(GuideSchedule)
}

/// The airings of a channel in an interval.
public struct GuideSchedule: Hashable, Sendable {
    /// The channel.
    public let channel: EntityID<BroadcastChannel>
    /// The interval that the schedule covers completely; its end is excluded.
    public let span: Range<Date>
    /// The airings. Their programs must be in the store, or be stored before.
    public let slots: [GuideSlot]

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - span: The interval that the schedule covers completely.
    ///   - slots: The airings.
    /// - Throws: `metadataInvalid` for a slot on another channel, or one that begins outside the interval.
    public init(
        channel: EntityID<BroadcastChannel>,
        span: Range<Date>,
        slots: [GuideSlot]
    ) throws(EarshotError) {
        let milliseconds = GuideSlot.clamped(span.lowerBound)..<GuideSlot.clamped(span.upperBound)
        guard
            slots.allSatisfy({ $0.channel == channel && milliseconds.contains(GuideSlot.clamped($0.start)) })
        else {
            throw EarshotError(
                .metadataInvalid,
                "The schedule of \(channel) holds an airing of another channel, or one outside its span: leave it out."
            )
        }
        self.channel = channel
        self.span = span
        self.slots = slots
    }
}

/// The number of records of each kind in a guide.
public struct GuideCounts: Hashable, Sendable, Codable {
    /// The number of works in the guide.
    public var works = 0
    /// The number of programs in the guide.
    public var programs = 0
    /// The number of channels in the guide.
    public var channels = 0
    /// The number of airings in the guide.
    public var airings = 0

    /// Creates counts of 0.
    public init() {}
}
