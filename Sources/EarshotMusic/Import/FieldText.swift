import EarshotCore

/// Numbers, dates and lengths as tables and tags write them.
enum FieldText {
    /// A number above zero, and what stands behind a slash: `3`, `03`, `3/12`.
    static func place(_ text: String) -> (number: Int, count: Int?)? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace } }
        guard let number = parts.first.flatMap(count), number > 0 else { return nil }
        guard parts.count > 1 else { return (number, nil) }
        return count(parts[1]).map { (number, $0 > 0 ? $0 : nil) }
    }

    /// A whole number up to a million.
    static func count(_ text: some StringProtocol) -> Int? {
        guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text).flatMap { $0 <= 1_000_000 ? $0 : nil }
    }

    /// A year or a date: `1999`, `1999-05`, `1999-05-31`, and these with a time behind them.
    static func date(_ text: String) -> PartialDate? {
        let day = text.prefix { $0 != "T" && $0 != " " }
        return PartialDate(day.replacing("/", with: "-").replacing(".", with: "-"))
    }

    /// A length to the millisecond: seconds (`194.5`), `3:14`, `1:02:03.5`.
    static func duration(_ text: String) -> MediaTime? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(fields.count), let seconds = decimal(fields[fields.count - 1]) else { return nil }
        var whole = 0
        for field in fields.dropLast() {
            guard let number = count(field) else { return nil }
            whole = whole * 60 + number
        }
        if fields.count > 1 { guard seconds < 60 else { return nil } }
        let total = Double(whole) * (fields.count > 1 ? 60 : 0) + seconds
        guard total > 0, total <= 1e7 else { return nil }
        return MediaTime(value: Int64((total * 1_000).rounded()), timescale: 1_000)
    }

    /// A number that is not below zero, in digits with at most one point.
    static func decimal(_ text: some StringProtocol) -> Double? {
        guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
        else {
            return nil
        }
        return Double(text)
    }
}
