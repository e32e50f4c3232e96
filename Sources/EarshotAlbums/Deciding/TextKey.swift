import EarshotMusic

/// A title or a name, ready to be compared with many others.
struct TextKey: Hashable, Sendable {
    let folded: String
    let bare: String
    /// The numbers in it: "Part 1" and "Part 2" differ in little else.
    private let numbers: [Substring]
    /// Its words that may tell one version of a piece from another.
    private let versionWords: Set<Substring>
    /// The words of its addition that say something: neither of whom is a guest nor of how the record was made.
    private let addition: Set<Substring>

    /// - Returns: Nothing for a text in which nothing is to be seen.
    init?(_ text: String?) {
        guard let text else { return nil }
        let keys = SearchText(String(text.unicodeScalars.prefix(256)))
        guard !keys.folded.isEmpty else { return nil }
        (folded, bare) = (keys.folded, keys.bare)
        // "stg1" has one too.
        numbers = bare.split { !$0.isNumber }
        let words = folded.split(separator: " ")
        let named = Set(words.filter { Self.versions.contains($0) })
        // The original mix is the piece itself.
        versionWords = words.contains("original") ? named.subtracting(["mix", "edit"]) : named
        let added = folded.hasPrefix(bare) ? folded.dropFirst(bare.utf8.count).split(separator: " ") : []
        addition = added.contains { Self.guests.contains($0) } ? [] : Set(added.filter { !Self.isOfTheRecord($0) })
    }

    // MARK: - Versions

    /// The difference between the versions of a piece that two titles name.
    enum VersionDifference {
        /// The same, or nothing.
        case none
        /// Additions that are not the same, but of which neither is known to make another recording: "(Main Theme)".
        case additions
        /// One is of a concert, a remix, without voices, or the two are different ones of these.
        case versions
    }

    /// Words that mean another recording than the plain title does.
    private static let versions: Set<Substring> = [
        "live", "acoustic", "unplugged", "remix", "rmx", "mix", "demo", "instrumental", "karaoke", "dub", "edit",
        "reprise",
        "cover", "acapella", "cappella", "orchestral", "symphonic", "extended", "rehearsal", "session", "sessions",
        "alternate",
        "alternative", "outtake", "medley", "bootleg", "rework", "remake", "playback", "backing", "chiptune",
        "nightcore",
        "slowed", "reverb", "concert", "konzert", "directo", "vivo",
    ]
    private static let guests: Set<Substring> = ["feat", "ft", "featuring", "with", "mit", "avec", "con"]
    private static let record: Set<Substring> = [
        "remaster", "remastered", "remasterd", "digital", "digitally", "mono", "stereo", "album", "single", "version",
        "original",
        "bonus", "track", "explicit", "clean", "deluxe", "edition", "anniversary", "the", "from", "ost", "soundtrack",
        "official",
        "audio", "video", "hd", "hq", "cd", "lp", "12", "7", "inch",
    ]

    private static func isOfTheRecord(_ word: Substring) -> Bool {
        record.contains(word) || (word.count == 4 && word.allSatisfy(\.isASCIIDigit))
    }

    /// Returns the difference between the versions that two titles name.
    func versionDifference(_ other: TextKey) -> VersionDifference {
        if folded == other.folded { return .none }
        // "Live and Let Die" is no recording of a concert: what both have tells nothing apart.
        if versionWords != other.versionWords { return .versions }
        return bare == other.bare && addition != other.addition ? .additions : .none
    }

    /// Returns the likeness of two titles, from 0 to 1. Typing errors, additions in brackets and the order of words
    /// cost little.
    func likeness(_ other: TextKey) -> Double {
        if folded == other.folded { return 1 }
        if bare == other.bare { return 0.96 }
        let close = max(Self.closeness(folded, other.folded), 0.96 * Self.closeness(bare, other.bare))
        return numbers == other.numbers ? close : min(close, 0.5)
    }

    private static func closeness(_ left: String, _ right: String) -> Double {
        max(TextSimilarity.dice(left, right), wordCloseness(left, right))
    }

    /// The share of letters in words that both have, mistakes in a word forgiven. Of two titles of two words one word may be the
    /// same, and they are hardly alike.
    private static func wordCloseness(_ left: String, _ right: String) -> Double {
        let words = left.split(separator: " ").prefix(32).map(String.init)
        var others = right.split(separator: " ").prefix(32).map(String.init)
        let letters = (words + others).reduce(0) { $0 + $1.unicodeScalars.count }
        guard letters > 0 else { return 0 }
        var common = 0.0
        for word in words {
            let alike = others.indices.map { (place: $0, likeness: TextSimilarity.jaroWinkler(word, others[$0])) }
            guard let best = alike.max(by: { $0.likeness < $1.likeness }), best.likeness >= 0.82 else { continue }
            let pair = word.unicodeScalars.count + others[best.place].unicodeScalars.count
            common += best.likeness * Double(pair)
            others.remove(at: best.place)
        }
        return common / Double(letters)
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
