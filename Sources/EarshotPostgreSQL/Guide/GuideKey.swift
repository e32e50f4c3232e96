import EarshotCore

/// Converts texts by which entities of a guide are found to a form that indexed columns can hold: without U+0000, and no longer than an entry
/// of an index (about 2,700 bytes).
enum GuideKey {
    /// The most bytes of an identifier.
    private static let longest = 2_000
    /// The most characters of a word, of at most four bytes each.
    private static let longestWord = 500

    /// Returns a text that is to be stored.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of the text for messages: "identifier of a channel".
    /// - Throws: `metadataInvalid` for a text that no column can hold.
    static func checked(_ text: String, _ name: String) throws(EarshotError) -> String {
        guard !text.utf8.contains(0) else {
            throw EarshotError(.metadataInvalid, "The \(name) in the guide has a character U+0000: leave it out.")
        }
        guard text.utf8.count <= longest else {
            throw EarshotError(.metadataInvalid, "The \(name) in the guide has more than \(longest) bytes: shorten it.")
        }
        return text
    }

    /// Returns a text that is searched; `nil`, which equals nothing in SQL, for a text that no column can hold.
    static func sought(_ text: String) -> String? { text.utf8.contains(0) ? nil : text }

    /// Returns a word as it is stored and searched: cut to ``longestWord``. Words with the same beginning of that length find each other.
    static func word(_ word: String) -> String {
        word.utf8.count <= longestWord
            ? word : String(String.UnicodeScalarView(word.unicodeScalars.prefix(longestWord)))
    }
}
