import Foundation

/// The contents of an XMLTV guide.
public struct XMLTVGuide: Hashable, Sendable {
    /// A note about an entry that was skipped or corrected, with its line.
    public struct Note: Hashable, Sendable, CustomStringConvertible {
        /// The line, counted from 1.
        public let line: Int
        /// The correction and its reason, as a sentence.
        public let reason: String

        /// The line and the reason.
        public var description: String { "Line \(line): \(reason)" }
    }

    /// The name that the guide gives for the source of its data; `nil` if it gives none.
    public internal(set) var sourceName: String?
    /// The program that wrote the guide; `nil` if it is not named.
    public internal(set) var generatorName: String?
    /// The channels, in the guide's order; those without an entry of their own come last.
    public internal(set) var channels: [BroadcastChannel] = []
    /// The programs, each once, in order of their first appearance in the guide.
    public internal(set) var programs: [Program] = []
    /// The airings, channel by channel in the order of ``channels``, each by start and without overlaps.
    public internal(set) var slots: [GuideSlot] = []
    /// The entries that were skipped or corrected, by line; at most ``XMLTVReader/Limits/notes``.
    public internal(set) var notes: [Note] = []
    /// The number of notes, including those beyond the limit.
    public internal(set) var noteCount = 0

    /// The airings with the details of channels and programs, in the order of ``slots``.
    public var airings: [Airing] {
        let channels = Dictionary(self.channels.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let programs = Dictionary(self.programs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return slots.compactMap { slot in
            guard let channel = channels[slot.channel], let program = programs[slot.program] else { return nil }
            return slot.airing(channel, program)
        }
    }

    /// The longest gap in the schedule of a channel that means that nothing is shown, in seconds: two days.
    private static let longestPause = 172_800.0

    /// The schedules of each channel with airings, from its first airing to the end of its last. A gap of more than two
    /// days splits a schedule, for example if one airing has a wrong date; a store then keeps its airings in the gap.
    public var schedules: [GuideSchedule] {
        var schedules: [GuideSchedule] = []
        var rest = slots[...]
        while let first = rest.first {
            var own = rest.prefix(1)
            for slot in rest.dropFirst() {
                guard slot.channel == first.channel, let last = own.last,
                    slot.start.timeIntervalSince(last.end) <= Self.longestPause
                else { break }
                own = rest.prefix(own.count + 1)
            }
            rest = rest.dropFirst(own.count)
            guard let last = own.last else { break }
            if let schedule = try? GuideSchedule(
                channel: first.channel,
                span: first.start..<last.end,
                slots: Array(own)
            ) {
                schedules.append(schedule)
            }
        }
        return schedules
    }
}
