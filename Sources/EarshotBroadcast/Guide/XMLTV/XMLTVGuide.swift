import Foundation

/// The contents of an XMLTV guide.
public struct XMLTVGuide: Hashable, Sendable {
    /// A note about an entry that was skipped or corrected, with its line.
    public struct Note: Hashable, Sendable, CustomStringConvertible {
        /// The line, counted from 1.
        public let line: Int
        /// The correction and its reason, as a sentence.
        public let reason: String

        /// Line and reason.
        public var description: String { "Line \(line): \(reason)" }
    }

    /// The guide's own name of the source of its data.
    public internal(set) var sourceName: String?
    /// The program that wrote the guide.
    public internal(set) var generatorName: String?
    /// The channels, in the guide's order; those without an entry of their own come last.
    public internal(set) var channels: [BroadcastChannel] = []
    /// The programmes, each once however often it is shown, in order of their first places in the guide.
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

    /// How long nothing may be said of a channel for that to mean that nothing is shown, in seconds: two days.
    private static let longestPause = 172_800.0

    /// The schedules of each channel that shows something, from its first airing to the end of its last; two where nothing is said
    /// of days in between, as when one airing has a wrong date: what a store has of these days stays.
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
