import EarshotMetadata

/// A title or a name, ready to be compared with many others.
struct TextKey: Hashable, Sendable {
    let folded: String
    let bare: String
    /// The numbers in it: "Part 1" and "Part 2" differ in little else.
    private let numbers: [Substring]

    /// - Returns: Nothing for a text in which nothing is to be seen.
    init?(_ text: String?) {
        guard let text else { return nil }
        let keys = SearchText(String(text.unicodeScalars.prefix(512)))
        guard !keys.folded.isEmpty else { return nil }
        (folded, bare) = (keys.folded, keys.bare)
        numbers = bare.split(separator: " ").filter { word in
            word.unicodeScalars.allSatisfy { $0.properties.numericType != nil }
        }
    }

    /// How alike two are, from 0 to 1: typing errors, additions in brackets and the order of words take little.
    func likeness(_ other: TextKey) -> Double {
        if folded == other.folded { return 1 }
        if bare == other.bare { return 0.96 }
        let close = max(Self.closeness(folded, other.folded), 0.96 * Self.closeness(bare, other.bare))
        return numbers == other.numbers ? close : min(close, 0.5)
    }

    private static func closeness(_ left: String, _ right: String) -> Double {
        // What has hardly a letter in the same place has half of one anyway by the measure for names.
        let swapped = TextSimilarity.jaroWinkler(left, right)
        return max(TextSimilarity.dice(left, right), swapped >= 0.85 ? swapped : 0)
    }
}

/// Likenesses that were measured before: releases of one album have the same titles.
struct LikenessCache {
    private struct Pair: Hashable {
        var left: String
        var right: String
    }

    private var known: [Pair: Double] = [:]

    mutating func likeness(_ left: TextKey?, _ right: TextKey?) -> Double? {
        guard let left, let right else { return nil }
        let pair = Pair(left: left.folded, right: right.folded)
        if let likeness = known[pair] { return likeness }
        let likeness = left.likeness(right)
        known[pair] = likeness
        return likeness
    }
}
