/// A text of music metadata with the keys by which it is found.
///
/// The original is unchanged; the keys are for comparison and indexes, not for display. Computing them never fails, and
/// takes time linear in the length of the text. The key of a key is the key itself.
///
/// The keys, from strong to weak:
///
/// | key | what is equal in it |
/// |---|---|
/// | ``exact`` | compatibility forms (NFKC), letter case, widths; apostrophes are removed, other punctuation separates words; "&" and "and"; numbers in digits, words and Roman numerals; in kana, a hyphen and the long-vowel mark |
/// | ``folded`` | also letters with and without diacritics; hiragana and katakana |
/// | ``bare`` | also titles with and without additions such as "(Live)" |
///
/// Every Roman numeral from I to XXXIX that is a word becomes digits, so "I" in "I Am" is `1` too. Queries are
/// converted in the same way, and ``tokens`` also contains the words as written. In scripts without spaces between
/// words, a change to letters or digits of another script separates words.
public struct SearchText: Hashable, Sendable {
    /// The original text.
    public let original: String
    /// The strongest key: words separated by one space. Empty only if the original has no visible character.
    public let exact: String
    /// The key without diacritics, katakana as hiragana.
    public let folded: String
    /// The folded key without additions at the end of the title; the folded key if nothing else is left.
    public let bare: String
    /// The folded key with numbers as they were written.
    let spelled: String

    /// Computes the keys of a text.
    public init(_ original: String) {
        self.original = original
        if let lowered = KeyScalars.loweredASCII(original) {
            let keys = SearchKeys(lowered, isASCII: true)
            (exact, folded, spelled, bare) = (keys.exact, keys.folded, keys.spelled, keys.bare)
        } else {
            let keys = SearchKeys(KeyScalars.decomposed(original, .shared), isASCII: false)
            (exact, folded, spelled, bare) = (keys.exact, keys.folded, keys.spelled, keys.bare)
        }
    }

    /// The tokens for a full-text index that splits at spaces; none contains a space.
    ///
    /// First the words of ``folded`` in order, runs of Han, kana and Hangul cut into overlapping pairs of characters,
    /// pairs across a space included. After them, for queries of one character and for words typed in part, the last
    /// character of each such run, and the words as written for which there are digits in the key.
    public var tokens: [String] {
        IndexTokens.tokens(folded: folded, spelled: spelled)
    }

    /// Returns `true` if the original texts are equal.
    public static func == (left: SearchText, right: SearchText) -> Bool {
        left.original == right.original
    }

    /// Hashes the original.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(original)
    }
}
