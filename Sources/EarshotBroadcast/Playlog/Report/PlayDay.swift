import EarshotMusic
public import Foundation

/// A day of the calendar, in whatever zone: `2026-05-01`.
public struct PlayDay: Hashable, Comparable, Sendable, Codable, LosslessStringConvertible {
    /// The text.
    public let description: String
    /// Days since 1970-01-01.
    private let number: Int64

    /// Parses a day; `nil` if the text is not one.
    public init?(_ description: String) {
        guard let date = PartialDate(description), let month = date.month, let day = date.day else { return nil }
        self.description = date.description
        number = PlaylogTime.daysSince1970(Int64(date.year), Int64(month), Int64(day))
    }

    /// The day of an instant in a zone.
    ///
    /// - Parameters:
    ///   - instant: The time; one outside the calendar counts as the nearest valid time.
    ///   - timeZone: The zone.
    public init(of instant: Date, in timeZone: TimeZone = .gmt) {
        let instant = PlaylogTime.date(PlaylogTime.bounded(instant))
        let local = instant.addingTimeInterval(Double(timeZone.secondsFromGMT(for: instant)))
        let milliseconds = PlaylogTime.bounded(local)
        description = String(PlaylogTime.text(local).prefix(10))
        number = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    }

    /// From its first instant to the first one of the next day, in a zone: 23, 24 or 25 hours.
    public func span(in timeZone: TimeZone = .gmt) -> Range<Date> {
        let start = Self.midnight(number, timeZone)
        return start..<max(start, Self.midnight(number + 1, timeZone))
    }

    /// The instant at which a day begins. Where midnight is left out by the zone it is the first instant behind it.
    private static func midnight(_ days: Int64, _ timeZone: TimeZone) -> Date {
        let midnight = PlaylogTime.date(days * 86_400_000)
        // The offset at the instant itself is looked for: it depends on the instant, which depends on the offset.
        let offsets = [-86_400.0, 0, 86_400].map { timeZone.secondsFromGMT(for: midnight.addingTimeInterval($0)) }
        let candidates = offsets.map { midnight.addingTimeInterval(-Double($0)) }.sorted()
        let exact = candidates.first { instant in
            instant.addingTimeInterval(Double(timeZone.secondsFromGMT(for: instant))) == midnight
        }
        if let exact { return exact }
        // Clocks went from before midnight to after it.
        guard let early = candidates.first?.addingTimeInterval(-7_200) else { return midnight }
        return timeZone.nextDaylightSavingTimeTransition(after: early) ?? midnight
    }

    /// Order by time.
    public static func < (left: PlayDay, right: PlayDay) -> Bool { left.number < right.number }

    /// Reads the text.
    ///
    /// - Throws: `DecodingError` if the text is not a day.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = PlayDay(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text.prefix(20))\" is no day: write it as 2026-05-01."
            )
        }
        self = day
    }

    /// Writes the text.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
