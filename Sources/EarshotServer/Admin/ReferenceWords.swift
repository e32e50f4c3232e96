import EarshotCatalogs
import EarshotCore
import EarshotMusic

/// A search for references by words, each of which is a part of the name, title, artist or album.
struct ReferenceWords: Sendable {
    private let plain: [String]
    private let folded: [String]

    /// Creates a search from a text; `nil` if the text has no words.
    init?(_ text: String) {
        plain = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        folded = SearchText(text).folded.split(separator: " ").map(String.init)
        if plain.isEmpty { return nil }
    }

    /// Returns `true` if a reference contains all words.
    func fit(_ reference: ReferenceSummary) -> Bool {
        var texts = [reference.id.rawValue]
        for item in reference.items { texts += [item.title, item.artist, item.album].compactMap(\.self) }
        let text = texts.joined(separator: " ")
        let lowercased = text.lowercased()
        if plain.allSatisfy(lowercased.contains) { return true }
        // Second, because it takes longer: without regard to accents and punctuation.
        let keys = SearchText(text).folded
        return !folded.isEmpty && folded.allSatisfy(keys.contains)
    }
}
