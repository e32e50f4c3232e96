/// A date of which the day, or the month and the day, may not be known: `1999`, `1999-05`, `1999-05-31`.
public struct PartialDate: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The year of the Gregorian calendar, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12; `nil` if unknown.
    public let month: Int?
    /// The day of the month, 1 to 31; `nil` if unknown.
    public let day: Int?

    /// Creates a date; `nil` if it does not exist in the calendar.
    public init?(year: Int, month: Int? = nil, day: Int? = nil) {
        guard (1...9999).contains(year), month.map({ (1...12).contains($0) }) ?? (day == nil) else { return nil }
        if let day, let month {
            guard (1...Self.days(of: month, in: year)).contains(day) else { return nil }
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Parses a date; `nil` if the text is not one. Month and day of `00` count as unknown.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].count == 4,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count else { return nil }
        let month = numbers.count > 1 && numbers[1] > 0 ? numbers[1] : nil
        let day = numbers.count > 2 && numbers[2] > 0 && month != nil ? numbers[2] : nil
        self.init(year: numbers[0], month: month, day: day)
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The date in ISO 8601: `1999`, `1999-05` or `1999-05-31`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return ([padded(year, 4)] + [month, day].compactMap(\.self).map { padded($0, 2) }).joined(separator: "-")
    }

    /// Decodes a date from its ISO 8601 text.
    ///
    /// - Throws: `DecodingError` if the text is not a date.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = PartialDate(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text.prefix(20))\" is no date: write 1999, 1999-05 or 1999-05-31."
            )
        }
        self = date
    }

    /// Encodes the date as its ISO 8601 text.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Compares dates by time; a year comes before its months, and a month before its days.
    public static func < (left: PartialDate, right: PartialDate) -> Bool {
        (left.year, left.month ?? 0, left.day ?? 0) < (right.year, right.month ?? 0, right.day ?? 0)
    }
}
