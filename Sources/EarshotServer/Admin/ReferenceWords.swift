import EarshotCatalogs
import EarshotCore
import EarshotMusic

/// The words by which references are looked for: each is a part of the name, title, artist or album.
struct ReferenceWords: Sendable {
    private let plain: [String]
    private let folded: [String]

    /// The words of a text; `nil` for a text without any.
    init?(_ text: String) {
        plain = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        folded = SearchText(text).folded.split(separator: " ").map(String.init)
        if plain.isEmpty { return nil }
    }

    /// Returns `true` if a reference has all words.
    func fit(_ reference: ReferenceSummary) -> Bool {
        var texts = [reference.id.rawValue]
        for item in reference.items { texts += [item.title, item.artist, item.album].compactMap(\.self) }
        let text = texts.joined(separator: " ")
        let lowercased = text.lowercased()
        if plain.allSatisfy(lowercased.contains) { return true }
        // Without regard to accents and punctuation, which takes longer.
        let keys = SearchText(text).folded
        return !folded.isEmpty && folded.allSatisfy(keys.contains)
    }
}
