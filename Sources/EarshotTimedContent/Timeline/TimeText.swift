public import EarshotCore

/// Parses and formats times as people write them.
///
/// With colons: `1:02:03.5`, `3:14`; leading minutes may be above 59, later fields have two digits and are 59 at most.
/// As seconds: `194`, `0.25`. With units: `1h2m3.5s`, `3m14s`, `250ms`, each unit once, in this order.
public enum TimeText {
    /// Parses a time.
    ///
    /// - Parameter text: A time in one of the forms above; spaces around it are ignored. Fractions are rounded to six
    ///   digits.
    /// - Throws: `timelineInvalid` for anything else, and for times beyond 360,000 s.
    public static func time(_ text: String) throws(EarshotError) -> MediaTime {
        guard let time = parse(text) else {
            throw EarshotError(
                .timelineInvalid,
                "\"\(text.prefix(40))\" is not a time: write seconds (194), m:ss (3:14), h:mm:ss (1:02:03.5) or units "
                    + "(3m14s, 250ms), with minutes and seconds below 60 behind the first field."
            )
        }
        guard time <= Timeline.maximumTime else {
            throw EarshotError(.timelineInvalid, "\"\(text.prefix(40))\" is beyond 360,000 s: times end there.")
        }
        return time
    }

    /// Formats a time with colons, as short as possible without loss, to the microsecond: `3:14`, `1:02:03.5`.
    ///
    /// Parsing the result gives the same time, unless it is negative. Negative times have a minus sign; times that are
    /// not numeric are `--:--`.
    public static func string(_ time: MediaTime) -> String {
        let time = time.inMicroseconds
        guard time.isNumeric else { return time.label }
        let total = time.value.magnitude
        let (whole, rest) = total.quotientAndRemainder(dividingBy: 1_000_000)
        var fraction = padded(rest, to: 6)
        while fraction.last == "0" { fraction.removeLast() }
        let minutes = whole >= 3600 ? "\(whole / 3600):\(padded(whole / 60 % 60, to: 2))" : "\(whole / 60)"
        let sign = time.value < 0 ? "-" : ""
        return "\(sign)\(minutes):\(padded(whole % 60, to: 2))" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    static func padded(_ number: UInt64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // MARK: - Reading

    /// Parses a time; `nil` if the text has none of the formats.
    static func parse(_ text: some StringProtocol) -> MediaTime? {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first, isBlank(byte) { bytes = bytes.dropFirst() }
        while let byte = bytes.last, isBlank(byte) { bytes = bytes.dropLast() }
        guard let last = bytes.last, bytes.count <= 64 else { return nil }
        return isDigit(last) ? parseFields(bytes) : parseUnits(bytes)
    }

    private static func parseFields(_ bytes: ArraySlice<UInt8>) -> MediaTime? {
        let fields = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count <= 3 else { return nil }
        var total: Int64 = 0
        for (index, field) in fields.enumerated() {
            let isLast = index == fields.count - 1
            guard let amount = micros(field, hasFraction: isLast) else { return nil }
            if index > 0 {
                // Two digits before the point, 59 at most.
                let digits = field.prefix { $0 != UInt8(ascii: ".") }.count
                guard digits == 2, amount < 60_000_000 else { return nil }
            }
            total = total * 60 + amount
        }
        return MediaTime(value: total, timescale: 1_000_000)
    }

    private static func parseUnits(_ bytes: ArraySlice<UInt8>) -> MediaTime? {
        let units: [(name: String, factor: Int64, limit: Int64)] = [
            ("h", 3600, .max), ("m", 60, 60), ("s", 1, 60), ("ms", 0, 1000),
        ]
        var rest = bytes
        var total: Int64 = 0
        var nextUnit = 0
        var isFirst = true
        while let first = rest.first {
            if isBlank(first) {
                rest = rest.dropFirst()
                continue
            }
            let number = rest.prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
            rest = rest[number.endIndex...]
            let name = String(decoding: rest.prefix { !isDigit($0) && !isBlank($0) }, as: UTF8.self).lowercased()
            rest = rest.drop { !isDigit($0) && !isBlank($0) }
            guard let unit = units.firstIndex(where: { $0.name == name }), unit >= nextUnit,
                let amount = micros(number, hasFraction: unit >= 2)
            else { return nil }
            guard isFirst || amount < units[unit].limit * 1_000_000 else { return nil }
            total += unit == 3 ? (amount + 500) / 1000 : amount * units[unit].factor
            (nextUnit, isFirst) = (unit + 1, false)
        }
        return isFirst ? nil : MediaTime(value: total, timescale: 1_000_000)
    }

    /// Millionths of a decimal number of at most nine digits before the point.
    private static func micros(_ bytes: ArraySlice<UInt8>, hasFraction: Bool) -> Int64? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 1 || (parts.count == 2 && hasFraction), (1...9).contains(parts[0].count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) })
        else { return nil }
        var value: Int64 = 0
        for byte in parts[0] { value = value * 10 + Int64(byte - UInt8(ascii: "0")) }
        value *= 1_000_000
        guard parts.count == 2 else { return value }
        var unit: Int64 = 100_000
        for byte in parts[1].prefix(6) {
            value += Int64(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        if let seventh = parts[1].dropFirst(6).first, seventh >= UInt8(ascii: "5") { value += 1 }
        return value
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
