import EarshotMusic
public import Foundation

/// Times in the form of XMLTV: `20260131183000 +0100`. Trailing digits and the time zone may be missing.
public enum XMLTVTime {
    /// Parses a time; `nil` if the text is not one.
    ///
    /// Missing digits mean the start of the year, month or day. Without a time zone the time is UTC. A time zone is
    /// `+0100`, `+01:00`, `+01`, `Z`, or an abbreviation that guides use. A time with an unknown abbreviation is
    /// rejected, because a missing time is better than a wrong one.
    ///
    /// - Parameter text: The time.
    public static func date(_ text: some StringProtocol) -> Date? {
        let bytes = Array(text.utf8.prefix(64))
        let digits = bytes.prefix { $0 &- 0x30 < 10 }
        guard [4, 6, 8, 10, 12, 14].contains(digits.count), text.utf8.count <= 64 else { return nil }
        func number(_ from: Int, _ count: Int, or missing: Int) -> Int {
            guard digits.count >= from + count else { return missing }
            return digits[from..<from + count].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        let (year, month, day) = (number(0, 4, or: 1), number(4, 2, or: 1), number(6, 2, or: 1))
        let (hour, minute, second) = (number(8, 2, or: 0), number(10, 2, or: 0), number(12, 2, or: 0))
        // Some guides write midnight at the end of a day as 24:00.
        guard PartialDate(year: year, month: month, day: day) != nil, minute < 60, second < 60,
            hour < 24 || hour == 24 && minute == 0 && second == 0,
            let zone = offset(bytes[digits.count...])
        else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - zone
        // An offset can lead out of the calendar.
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// Formats a date in UTC, such as `20260131173000 +0000`. Fractions of a second are cut off.
    ///
    /// - Parameter date: The date, clamped to the years 1 to 9999.
    public static func text(_ date: Date) -> String {
        let seconds = Int(max(-62_135_596_800, min(253_402_300_799, date.timeIntervalSince1970.rounded(.down))))
        let day = seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
        let rest = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(year, 4) + padded(month, 2) + padded(dayOfMonth, 2) + padded(rest / 3_600, 2)
            + padded(rest / 60 % 60, 2) + padded(rest % 60, 2) + " +0000"
    }

    /// Returns the offset of a time zone from UTC, in seconds; `nil` if it is unknown.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard let sign = text.first else { return 0 }
        guard sign == "+" || sign == "-" else { return abbreviations[text.uppercased()].map { $0 * 60 } }
        let digits = text.dropFirst().filter { $0 != ":" }.utf8.map { Int($0) - 0x30 }
        guard digits.allSatisfy({ (0..<10).contains($0) }), [2, 4].contains(digits.count) else { return nil }
        let hours = digits[0] * 10 + digits[1]
        let minutes = digits.count == 4 ? digits[2] * 10 + digits[3] : 0
        guard hours <= 15, minutes < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// Offsets from UTC, in minutes. An abbreviation with several meanings has the one that guides use. `IST` is left
    /// out because it has three.
    private static let abbreviations: [String: Int] = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0,
        "BST": 60, "WEST": 60, "CET": 60, "MET": 60, "MEZ": 60,
        "CEST": 120, "MEST": 120, "MESZ": 120, "EET": 120, "SAST": 120,
        "EEST": 180, "MSK": 180,
        "JST": 540, "KST": 540, "AWST": 480, "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660,
        "NZST": 720, "NZDT": 780,
        "NST": -210, "NDT": -150, "AST": -240, "ADT": -180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300,
        "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480, "HST": -600,
    ]

    // MARK: - Calendar

    /// Returns the number of days from 1970-01-01 to a day of the Gregorian calendar. Years are counted from March, so
    /// that a leap day is the last day of a year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let century = year / 400
        let yearOfCentury = year - century * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return century * 146_097 + yearOfCentury * 365 + yearOfCentury / 4 - yearOfCentury / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let century = shifted / 146_097
        let day = shifted - century * 146_097
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        return (year + century * 400 + (number <= 2 ? 1 : 0), number, dayOfYear - (153 * month + 2) / 5 + 1)
    }
}
