import EarshotMusic

/// A test for titles that contain a text, contain it as whole words, or match a pattern.
///
/// Letter case, full and half width, and composed and decomposed forms are ignored, in any script. An absent title
/// never passes, and no title passes the test for an empty text.
public struct TitleTest: Hashable, Sendable {
    /// The part of a title that must match.
    public enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// The text occurs anywhere: "the" in "weather".
        case substring
        /// The text occurs as whole words: "the" in "The End".
        case wholeWords
        /// The whole title matches: `*` is any text, `?` one character, and a backslash escapes the next character.
        case pattern
    }

    /// The text to search for, as given.
    public let text: String
    /// The part of a title that must match.
    public let mode: Mode
    private let folded: FoldedText

    /// The longest text to search for, in bytes; a longer one is cut.
    public static let maximumSize = 1_000

    /// Creates a test.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - mode: The part of a title that must match.
    public init(_ text: String, _ mode: Mode = .substring) {
        self.text = text
        self.mode = mode
        folded = FoldedText(
            text.utf8.count <= Self.maximumSize
                ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumSize / 4)))
        )
    }

    /// Returns `true` if a title passes the test; `nil` does not pass.
    public func matches(_ title: String?) -> Bool {
        guard let title, !folded.scalars.isEmpty else { return false }
        let looked = FoldedText(title)
        return switch mode {
        case .substring: looked.contains(folded)
        case .wholeWords: looked.containsWords(folded)
        case .pattern: looked.fits(folded)
        }
    }

    /// Returns the number of items whose title passes the test.
    public func count(in items: some Sequence<MusicItem>) -> Int {
        items.reduce(0) { matches($1.title) ? $0 + 1 : $0 }
    }
}
