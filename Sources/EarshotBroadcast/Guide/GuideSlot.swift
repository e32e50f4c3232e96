public import EarshotCore
public import EarshotMusic
public import Foundation

/// A slot in the schedule of a channel: an ``Airing`` with the identifiers of channel and program only.
public struct GuideSlot: Hashable, Sendable, Codable {
    /// The longest duration of one airing, in seconds: a week.
    public static let maximumDuration = 604_800.0
    /// ``maximumDuration`` in milliseconds. An airing at a given time began no longer before it.
    package static let maximumMilliseconds = Int64(maximumDuration * 1_000)

    /// The channel.
    public let channel: EntityID<BroadcastChannel>
    /// The program.
    public let program: EntityID<Program>
    /// The start, rounded to the millisecond.
    public let start: Date
    /// The end, rounded to the millisecond.
    public let end: Date
    /// `true` if it is announced as live.
    public let isLive: Bool
    /// `true` if the program was shown before.
    public let isRepeat: Bool

    /// Creates a slot. Times are rounded to the millisecond.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - program: The program.
    ///   - start: The start.
    ///   - end: The end.
    ///   - isLive: `true` if it is announced as live.
    ///   - isRepeat: `true` if the program was shown before.
    /// - Throws: `metadataInvalid` for a slot that does not end after its start, lasts longer than a week, or is
    ///   outside the years 1 to 9999.
    public init(
        channel: EntityID<BroadcastChannel>,
        program: EntityID<Program>,
        start: Date,
        end: Date,
        isLive: Bool = false,
        isRepeat: Bool = false
    ) throws(EarshotError) {
        guard let first = Self.milliseconds(start), let last = Self.milliseconds(end) else {
            throw EarshotError(.metadataInvalid, "An airing on \(channel) has a time that no calendar has: correct it.")
        }
        guard first < last, last - first <= Self.maximumMilliseconds else {
            throw EarshotError(
                .metadataInvalid,
                "An airing on \(channel) has to end after it begins, and within a week: correct its times."
            )
        }
        self.channel = channel
        self.program = program
        self.start = Self.date(first)
        self.end = Self.date(last)
        self.isLive = isLive
        self.isRepeat = isRepeat
    }

    /// Creates the slot of an airing.
    ///
    /// - Throws: `metadataInvalid` for invalid times, as ``init(channel:program:start:end:isLive:isRepeat:)``.
    public init(_ airing: Airing) throws(EarshotError) {
        try self.init(
            channel: airing.channel.id,
            program: airing.program.id,
            start: airing.start,
            end: airing.end,
            isLive: airing.isLive,
            isRepeat: airing.isRepeat
        )
    }

    /// Returns the slot with another end.
    ///
    /// - Throws: `metadataInvalid` for invalid times.
    package func ending(_ end: Date) throws(EarshotError) -> GuideSlot {
        try moved(to: channel, ending: end)
    }

    /// Returns the slot on another channel, and optionally with another end.
    ///
    /// - Throws: `metadataInvalid` for invalid times.
    package func moved(
        to channel: EntityID<BroadcastChannel>,
        ending end: Date? = nil
    ) throws(EarshotError) -> GuideSlot {
        try GuideSlot(
            channel: channel,
            program: program,
            start: start,
            end: end ?? self.end,
            isLive: isLive,
            isRepeat: isRepeat
        )
    }

    /// Returns the airing with the details of channel and program.
    public func airing(_ channel: BroadcastChannel, _ program: Program) -> Airing {
        Airing(start: start, end: end, channel: channel, program: program, isLive: isLive, isRepeat: isRepeat)
    }

    /// Converts a date to milliseconds since 1970; `nil` outside of the years 1 to 9999.
    package static func milliseconds(_ date: Date) -> Int64? {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        return (-62_135_596_800_000...253_402_300_799_999).contains(value) ? Int64(value) : nil
    }

    /// Converts a date to milliseconds since 1970, clamped to the years 1 to 9999.
    package static func clamped(_ date: Date) -> Int64 {
        milliseconds(date) ?? (date.timeIntervalSince1970 < 0 ? -62_135_596_800_000 : 253_402_300_799_999)
    }

    package static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
