import EarshotMusic
package import Foundation

/// Times to the millisecond, in the form in which a log of plays stores and writes them.
///
/// They are computed with integers, so that a written time reads back as exactly the same.
package enum PlaylogTime {
    /// The times of the years 1 to 9999, which every format can write, in milliseconds since 1970.
    package static let range: Range<Int64> = -62_135_596_800_000..<253_402_300_800_000

    /// Converts a date to milliseconds since 1970; `nil` outside of ``range``, and for a date that is not finite.
    package static func milliseconds(_ date: Date) -> Int64? {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        guard value >= Double(range.lowerBound), value < Double(range.upperBound) else { return nil }
        return Int64(value)
    }

    /// Converts a date to milliseconds since 1970, clamped to ``range``.
    package static func bounded(_ date: Date) -> Int64 {
        milliseconds(date) ?? (date.timeIntervalSince1970 > 0 ? range.upperBound - 1 : range.lowerBound)
    }

    /// Converts milliseconds since 1970 to a date.
    package static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// Formats a date as ISO 8601 in UTC, such as `2026-05-01T18:30:00.250Z`.
    package static func text(_ date: Date) -> String {
        let milliseconds = bounded(date)
        let (days, rest) = floored(milliseconds, by: 86_400_000)
        let (year, month, day) = civil(days)
        let clock = [(rest / 3_600_000, 2), (rest / 60_000 % 60, 2), (rest / 1_000 % 60, 2)].map(padded)
        let date = [(year, 4), (month, 2), (day, 2)].map(padded).joined(separator: "-")
        return "\(date)T\(clock.joined(separator: ":")).\(padded((rest % 1_000, 3)))Z"
    }

    /// Parses ISO 8601 with a time zone, such as `2026-05-01T18:30:00Z` or `2026-05-01T20:30:00.25+02:00`. Digits
    /// beyond the milliseconds are ignored. `nil` if the text is invalid or outside of ``range``.
    package static func date(_ text: some StringProtocol) -> Date? {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count) else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            return bytes[range].reduce(Int64?(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int64(byte - 0x30)
            }
        }
        let marks: [(Int, UInt8)] = [(4, 0x2D), (7, 0x2D), (13, 0x3A), (16, 0x3A)]
        guard marks.allSatisfy({ bytes[$0.0] == $0.1 }), [0x54, 0x74, 0x20].contains(bytes[10]),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), hour < 24, minute < 60, second < 60,
            PartialDate(year: Int(year), month: Int(month), day: Int(day)) != nil, month > 0, day > 0
        else { return nil }
        var index = 19
        var fraction: Int64 = 0
        if bytes[index] == 0x2E || bytes[index] == 0x2C {
            var scale: Int64 = 100
            index += 1
            let first = index
            while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
                fraction += Int64(bytes[index] - 0x30) * scale
                scale /= 10
                index += 1
            }
            guard index > first else { return nil }
        }
        guard let offset = zone(Array(bytes[index...])) else { return nil }
        let time = ((hour * 60 + minute) * 60 + second) * 1_000 + fraction
        let milliseconds = daysSince1970(year, month, day) * 86_400_000 + time - offset * 60_000
        return range.contains(milliseconds) ? date(milliseconds) : nil
    }

    /// Returns the offset of a time zone from UTC, in minutes; `nil` if it is malformed.
    private static func zone(_ bytes: [UInt8]) -> Int64? {
        if bytes == [0x5A] || bytes == [0x7A] { return 0 }
        let digits = bytes.dropFirst().filter { $0 != 0x3A }
        guard let sign = bytes.first, sign == 0x2B || sign == 0x2D, digits.count == 4, bytes.count <= 6,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let values = digits.map { Int64($0 - 0x30) }
        let (hours, minutes) = (values[0] * 10 + values[1], values[2] * 10 + values[3])
        guard hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (sign == 0x2D ? -1 : 1)
    }

    // MARK: - The calendar

    /// Returns the number of days from 1970-01-01 to a day of the Gregorian calendar. Years are counted from March, so
    /// that a leap day is the last day of a year.
    package static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floored(shifted, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func floored(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    private static func padded(_ number: (value: Int64, width: Int)) -> String {
        let digits = String(number.value)
        return String(repeating: "0", count: max(0, number.width - digits.count)) + digits
    }
}
