import EarshotCore
import EarshotMusic

/// Words as PostgreSQL's types for text search hold them.
///
/// The words of all columns are in one index: the first letter of each tells the column, a small one before a word and a capital
/// before the beginning of one. An index intersects rare and common words fast, but joins the many words of a beginning slowly, so
/// that short beginnings are words of their own.
enum MusicWords {
    /// The longest beginning that is a word of its own, in scalars.
    private static let longestBeginning = 3
    /// The most bytes of a word that are looked at: an index takes no longer ones.
    private static let longestWord = 512
    /// The most bytes of the words of one entity: a `tsvector` holds a million.
    private static let room = 800_000
    /// The greatest place of a word in a `tsvector`, and the most places of one word.
    private static let (lastPlace, mostPlaces) = (16_383, 255)

    static let letters = ["track": "t", "album": "b", "artist": "a", "words": "w"]

    /// The words of the columns of an entity, as the text of a `tsvector`.
    static func vector(_ columns: [(column: String, text: String)], withBeginnings: Bool) -> String {
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
            for word in text.split(separator: " ") {
                place += 1
                // The sign between spellings has a place, so that no phrase goes from one to the next.
                guard word != "\u{E000}" else { continue }
                let word = cut(String(word))
                guard !word.isEmpty else { continue }
                add(letter + word, at: place)
                guard withBeginnings else { continue }
                let scalars = word.unicodeScalars
                for length in 1...longestBeginning where length <= scalars.count {
                    add(letter.uppercased() + String(String.UnicodeScalarView(scalars.prefix(length))), at: nil)
                }
            }
            place += 1
        }
        return order.map { word in
            let found = places[word] ?? []
            return quoted(word) + (found.isEmpty ? "" : ":" + found.map(String.init).joined(separator: ","))
        }.joined(separator: " ")
    }

    /// A `tsquery` of terms that must stand in one of several columns.
    static func term(_ term: SearchQuery.Term, in columns: [String], withBeginnings: Bool) -> String {
        let parts = columns.compactMap { letters[$0] }.map { letter -> String in
            let words = term.tokens.map(cut)
            if term.isPrefix, words.count == 1 {
                let isShort = withBeginnings && words[0].unicodeScalars.count <= longestBeginning
                return isShort ? quoted(letter.uppercased() + words[0]) : quoted(letter + words[0]) + ":*"
            }
            return words.map { quoted(letter + $0) }.joined(separator: " <-> ") + (term.isPrefix ? ":*" : "")
        }
        return "(\(parts.map { "(\($0))" }.joined(separator: " | ")))"
    }

    /// A `tsquery` of readings of which one must be found with all its terms.
    static func any(of readings: [[SearchQuery.Term]], in columns: [String], withBeginnings: Bool) -> String {
        let parts = readings.filter { !$0.isEmpty }
            .map { reading in
                reading.map { term($0, in: columns, withBeginnings: withBeginnings) }.joined(separator: " & ")
            }
        return "(\(parts.map { "(\($0))" }.joined(separator: " | ")))"
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
