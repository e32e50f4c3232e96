/// The reason why a name matches a query, from strong to weak.
public enum CandidateReason: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// The query is the whole name, apart from letter case, width, punctuation and the notation of numbers.
    case exact
    /// The query is the whole name without diacritics, or in the other kana.
    case folded
    /// The query is the whole name without an addition such as "(Live)".
    case annotation
    /// The name begins with the query.
    case beginning
    /// All words of the query are in the name.
    case words
    /// The name differs from the query in a few letters.
    case similar

    /// The scores of matches of this reason, from 0 to 1: a match that covers more of the name has more of its range.
    var range: ClosedRange<Double> {
        switch self {
        case .exact: 1...1
        case .folded: 0.95...0.95
        case .annotation: 0.85...0.9
        case .beginning: 0.7...0.8
        case .words: 0.5...0.65
        case .similar: 0.2...0.4
        }
    }

    /// `true` if the whole name was given, and not a part of it.
    public var isWhole: Bool { self <= .annotation }

    /// Compares reasons; stronger ones come first.
    public static func < (left: CandidateReason, right: CandidateReason) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .exact: 0
        case .folded: 1
        case .annotation: 2
        case .beginning: 3
        case .words: 4
        case .similar: 5
        }
    }
}
