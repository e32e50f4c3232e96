/// Ranges as a file has them: `60-76`, `-60`, `200-`.
enum TaxonomyRange {
    /// The range of a text, or nothing for a text that is none.
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

    /// Up to six digits, and up to six behind a point.
    private static func number(_ text: Substring) -> Double? {
        guard text.wholeMatch(of: /[0-9]{1,6}(?:\.[0-9]{1,6})?/) != nil else { return nil }
        return Double(text)
    }
}
