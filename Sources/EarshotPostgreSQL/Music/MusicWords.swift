import EarshotCore
import EarshotMusic

/// Words as PostgreSQL's types for text search hold them.
///
/// The words of all columns are in one index: the first letter of each tells the column, a small one before a word and a capital
/// before what is a word of its own besides. In names those are short beginnings, as an index intersects rare and common words
/// fast, but joins the many words of a beginning slowly. In lyrics they are pairs of short words, as an index has no places, and
/// a phrase of common words is to be looked for in nearly all lyrics without them (measured with 100,000 lyrics: 730 ms, with
/// pairs 6 ms).
enum MusicWords {
    /// The words of their own that are added to those of a text.
    enum Addition {
        case beginnings, pairs
    }

    /// The longest beginning that is a word of its own, in scalars.
    private static let longestBeginning = 3
    /// The longest word of a pair, in bytes: the common words are short.
    private static let longestOfPair = 5
    /// The most bytes of a word that are looked at: an index takes no longer ones.
    private static let longestWord = 512
    /// The most bytes of the words of one entity: a `tsvector` holds a million.
    private static let room = 800_000
    /// The greatest place of a word in a `tsvector`, and the most places of one word.
    private static let (lastPlace, mostPlaces) = (16_383, 255)

    static let letters = ["track": "t", "album": "b", "artist": "a", "words": "w"]

    /// The words of the columns of an entity, as the text of a `tsvector`.
    static func vector(_ columns: [(column: String, text: String)], with addition: Addition) -> String {
        var places: [String: [Int]] = [:]
        var order: [String] = []
        var (place, size) = (0, 0)
        func add(_ word: String, at place: Int?) {
            if places[word] == nil {
                guard size + word.utf8.count < room else { return }
                size += word.utf8.count + 4
                places[word] = []
                order.append(word)
            }
            guard let place, let count = places[word]?.count, count < mostPlaces, size < room else { return }
            size += 2
            places[word]?.append(min(place, lastPlace))
        }
        for (column, text) in columns {
            guard let letter = letters[column] else { continue }
            var last: String?
            for word in text.split(separator: " ") {
                place += 1
                // The sign between spellings has a place, so that no phrase goes from one to the next.
                let word = word == "\u{E000}" ? "" : cut(String(word))
                defer { last = word }
                guard !word.isEmpty else { continue }
                add(letter + word, at: place)
                switch addition {
                case .beginnings:
                    for length in 1...longestBeginning {
                        let scalars = word.unicodeScalars.prefix(length)
                        guard scalars.count == length else { break }
                        add(letter.uppercased() + String(String.UnicodeScalarView(scalars)), at: nil)
                    }
                case .pairs: if let pair = last.flatMap({ pair($0, word) }) { add(letter.uppercased() + pair, at: nil) }
                }
            }
            place += 1
        }
        return order.map { word in
            let found = places[word] ?? []
            return quoted(word) + (found.isEmpty ? "" : ":" + found.map(String.init).joined(separator: ","))
        }.joined(separator: " ")
    }

    /// A `tsquery` of readings of which one must be found with all its terms, each in one of several columns.
    static func query(_ readings: [[SearchQuery.Term]], in columns: [String], with addition: Addition) -> String {
        let parts = readings.filter { !$0.isEmpty }
            .map { reading in reading.map { query($0, in: columns, with: addition) }.joined(separator: " & ") }
        return "(\(parts.map { "(\($0))" }.joined(separator: " | ")))"
    }

    private static func query(_ term: SearchQuery.Term, in columns: [String], with addition: Addition) -> String {
        let words = term.tokens.map(cut)
        let parts = columns.compactMap { letters[$0] }.map { letter -> String in
            if addition == .beginnings, term.isPrefix, words.count == 1,
                words[0].unicodeScalars.count <= longestBeginning
            {
                return quoted(letter.uppercased() + words[0])
            }
            let phrase = words.map { quoted(letter + $0) }.joined(separator: " <-> ") + (term.isPrefix ? ":*" : "")
            guard addition == .pairs, words.count > 1 else { return phrase }
            // The last word of a prefix is none, and neither is a pair with it.
            let pairs = zip(words, words.dropFirst().dropLast(term.isPrefix ? 1 : 0)).compactMap(pair)
            return (["(\(phrase))"] + pairs.map { quoted(letter.uppercased() + $0) }).joined(separator: " & ")
        }
        return "(\(parts.map { "(\($0))" }.joined(separator: " | ")))"
    }

    /// Two words that stand next to each other, as one; `nil` if they are too long to be common.
    private static func pair(_ first: String, _ second: String) -> String? {
        let isShort = [first, second].allSatisfy { (1...longestOfPair).contains($0.utf8.count) }
        return isShort ? "\(first) \(second)" : nil
    }

    /// A word in quotation marks, so that nothing in it is an operator.
    static func quoted(_ word: String) -> String {
        "'" + word.replacingScalars(["'": "''", "\\": "\\\\"]) + "'"
    }

    /// A text without U+0000, which PostgreSQL's texts do not hold.
    static func plain(_ text: String) -> String { text.utf8.contains(0) ? text.replacingScalars(["\0": ""]) : text }

    private static func cut(_ word: String) -> String {
        let word = plain(word)
        guard word.utf8.count > longestWord else { return word }
        var size = 0
        let scalars = word.unicodeScalars.prefix { scalar in
            size += UTF8.width(scalar)
            return size <= longestWord
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
