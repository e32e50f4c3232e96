import EarshotMusic

/// A test of titles: whether they hold a text, hold it as words of their own, or fit a pattern.
///
/// Letter case, full and half width, and composed and decomposed forms do not count, in any script; everything else does. An
/// absent title never passes, and nothing passes the test for an empty text.
public struct TitleTest: Hashable, Sendable {
    /// The part of a title that must match.
    public enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// The text stands anywhere: "the" in "weather".
        case substring
        /// The text stands as words of its own: "the" in "The End".
        case wholeWords
        /// The whole title fits: `*` is any text, `?` one character, a backslash takes the next sign as it is.
        case pattern
    }

    /// What is looked for, as it was given.
    public let text: String
    /// How a title is compared.
    public let mode: Mode
    private let folded: FoldedText

    /// The most bytes of a text that is looked for; what is longer is cut.
    public static let maximumSize = 1_000

    /// A test.
    ///
    /// - Parameters:
    ///   - text: What is looked for.
    ///   - mode: How a title is compared.
    public init(_ text: String, _ mode: Mode = .substring) {
        self.text = text
        self.mode = mode
        folded = FoldedText(
            text.utf8.count <= Self.maximumSize
                ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumSize / 4)))
        )
    }

    /// Returns `true` if a title passes; an absent one does not.
    public func matches(_ title: String?) -> Bool {
        guard let title, !folded.scalars.isEmpty else { return false }
        let looked = FoldedText(title)
        return switch mode {
        case .substring: looked.contains(folded)
        case .wholeWords: looked.containsWords(folded)
        case .pattern: looked.fits(folded)
        }
    }

    /// How many items have a title that passes.
    public func count(in items: some Sequence<MusicItem>) -> Int {
        items.reduce(0) { matches($1.title) ? $0 + 1 : $0 }
    }
}
