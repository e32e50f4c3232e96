public import EarshotCore
public import EarshotMusic
public import Foundation

/// One change to a programme guide.
public enum GuideChange: Hashable, Sendable {
    /// A work, new or in place of the one of the same id; likewise the others.
    case work(VideoWork)
    /// A programme. The work in it is kept for itself too, where there is none of its id.
    case program(Program)
    /// A channel.
    case channel(BroadcastChannel)
    /// An airing, in place of the one that begins on its channel at the same instant. Its channel and its programme are kept
    /// where there are none of their ids; those that are there stay, for an airing carries only part of what is known.
    case airing(Airing)
    /// The schedule of a channel in a span, in place of all that began there within it.
    case schedule(GuideSchedule)
}

/// What a channel shows in a span of time.
public struct GuideSchedule: Hashable, Sendable {
    /// The channel.
    public let channel: EntityID<BroadcastChannel>
    /// The span of which this is the whole schedule; its end is not part of it.
    public let span: Range<Date>
    /// What is shown. The programmes have to be known to the store, or to be put before.
    public let slots: [GuideSlot]

    /// A schedule.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - span: The span of which this is the whole schedule.
    ///   - slots: What is shown.
    /// - Throws: `metadataInvalid` for a place on another channel, or one that begins outside the span.
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

/// How much a guide knows.
public struct GuideCounts: Hashable, Sendable, Codable {
    /// Works.
    public var works = 0
    /// Programmes.
    public var programs = 0
    /// Channels.
    public var channels = 0
    /// Airings.
    public var airings = 0

    /// Nothing.
    public init() {}
}
