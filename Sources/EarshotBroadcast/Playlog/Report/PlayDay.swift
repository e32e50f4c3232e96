import EarshotMusic
public import Foundation

/// A calendar day, independent of a time zone, such as `2026-05-01`.
public struct PlayDay: Hashable, Comparable, Sendable, Codable, LosslessStringConvertible {
    /// The text in the form `2026-05-01`.
    public let description: String
    /// The number of days since 1970-01-01.
    private let number: Int64

    /// Parses a day; `nil` if the text is not one.
    public init?(_ description: String) {
        guard let date = PartialDate(description), let month = date.month, let day = date.day else { return nil }
        self.description = date.description
        number = PlaylogTime.daysSince1970(Int64(date.year), Int64(month), Int64(day))
    }

    /// Creates the day of a time in a time zone.
    ///
    /// - Parameters:
    ///   - instant: The time, clamped to the years 1 to 9999.
    ///   - timeZone: The time zone.
    public init(of instant: Date, in timeZone: TimeZone = .gmt) {
        let instant = PlaylogTime.date(PlaylogTime.bounded(instant))
        let local = instant.addingTimeInterval(Double(timeZone.secondsFromGMT(for: instant)))
        let milliseconds = PlaylogTime.bounded(local)
        description = String(PlaylogTime.text(local).prefix(10))
        number = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
    }

    /// Returns the interval from the start of the day to the start of the next day in a time zone: usually 23, 24 or 25
    /// hours.
    public func span(in timeZone: TimeZone = .gmt) -> Range<Date> {
        let start = Self.midnight(number, timeZone)
        return start..<max(start, Self.midnight(number + 1, timeZone))
    }

    /// Returns the time at which a day begins. If the time zone skips midnight, it is the first time after it.
    private static func midnight(_ days: Int64, _ timeZone: TimeZone) -> Date {
        let midnight = PlaylogTime.date(days * 86_400_000)
        // The offset depends on the time, and the time on the offset, so the offsets around it are tried.
        let offsets = [-86_400.0, 0, 86_400].map { timeZone.secondsFromGMT(for: midnight.addingTimeInterval($0)) }
        let candidates = offsets.map { midnight.addingTimeInterval(-Double($0)) }.sorted()
        let exact = candidates.first { instant in
            instant.addingTimeInterval(Double(timeZone.secondsFromGMT(for: instant))) == midnight
        }
        if let exact { return exact }
        // The clocks were set forward over midnight.
        guard let early = candidates.first?.addingTimeInterval(-7_200) else { return midnight }
        return timeZone.nextDaylightSavingTimeTransition(after: early) ?? midnight
    }

    /// Compares days by time.
    public static func < (left: PlayDay, right: PlayDay) -> Bool { left.number < right.number }

    /// Decodes the text.
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

    /// Encodes the text.
    ///
    /// - Throws: The errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
