import EarshotCore
import EarshotMusic

/// Encodes words for PostgreSQL's types for text search.
///
/// The words of all columns are in one index: the first letter of each tells the column, a small one before a word and a capital
/// before what is a word of its own besides. In names those are short beginnings, as an index intersects rare and common words
/// fast, but joins the many words of a beginning slowly. In lyrics they are pairs of short words, as an index has no places, and
/// a phrase of common words is to be looked for in nearly all lyrics without them (measured with 100,000 lyrics: 730 ms, with
/// pairs 6 ms).
enum MusicWords {
    /// The additional words that are derived from a text.
    enum Addition {
        case beginnings, pairs
    }

    /// The longest beginning that is an additional word, in Unicode scalars.
    private static let longestBeginning = 3
    /// The longest word of a pair, in bytes: pairs are for common words, which are short.
    private static let longestOfPair = 5
    /// The most bytes of a word. Longer ones are cut, because an index cannot hold them.
    private static let longestWord = 512
    /// The most bytes of the words of an entity: a `tsvector` can hold a million.
    private static let room = 800_000
    /// The greatest position of a word in a `tsvector`, and the most positions of one word.
    private static let (lastPlace, mostPlaces) = (16_383, 255)

    static let letters = ["track": "t", "album": "b", "artist": "a", "words": "w"]

    /// Returns the words of the columns of an entity, as the text of a `tsvector`.
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
                // The separator between spellings takes a position, so that no phrase matches across two spellings.
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

    /// Returns a `tsquery` that matches if all terms of one of the readings are found, each in one of several columns.
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
            // The last term of a prefix is no whole word, so no pair contains it.
            let pairs = zip(words, words.dropFirst().dropLast(term.isPrefix ? 1 : 0)).compactMap(pair)
            return (["(\(phrase))"] + pairs.map { quoted(letter.uppercased() + $0) }).joined(separator: " & ")
        }
        return "(\(parts.map { "(\($0))" }.joined(separator: " | ")))"
    }

    /// Returns two neighboring words as one; `nil` if they are too long to be common.
    private static func pair(_ first: String, _ second: String) -> String? {
        let isShort = [first, second].allSatisfy { (1...longestOfPair).contains($0.utf8.count) }
        return isShort ? "\(first) \(second)" : nil
    }

    /// Returns a word in quotation marks, so that nothing in it is an operator.
    static func quoted(_ word: String) -> String {
        "'" + word.replacingScalars(["'": "''", "\\": "\\\\"]) + "'"
    }

    /// Returns a text without U+0000, which PostgreSQL's texts cannot contain.
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
