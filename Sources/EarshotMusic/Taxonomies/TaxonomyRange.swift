/// Ranges as a file has them: `60-76`, `-60`, `200-`.
enum TaxonomyRange {
    /// Parses a range; `nil` if the text is not one.
    static func parse(_ text: String) -> Range<Double>? {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, text != "-" else { return nil }
        guard let lower = bounds[0].isEmpty ? -Double.infinity : number(bounds[0]),
            let upper = bounds[1].isEmpty ? Double.infinity : number(bounds[1]),
            lower < upper
        else { return nil }
        return lower..<upper
    }

    /// The text of a range.
    static func text(_ range: Range<Double>) -> String {
        func text(_ bound: Double) -> String {
            guard bound.isFinite else { return "" }
            return Double(Int64(exactly: bound) ?? .min) == bound ? "\(Int64(bound))" : "\(bound)"
        }
        return "\(text(range.lowerBound))-\(text(range.upperBound))"
    }

    /// The number of a text of up to six digits, and up to six behind a point.
    static func number(_ text: Substring) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ (1...6).contains($0.count) && $0.allSatisfy(isDigit) }) else {
            return nil
        }
        return Double(text)
    }

    /// Returns `true` if a byte is a digit of ASCII.
    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
