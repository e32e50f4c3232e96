import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Keys of any text")
struct SearchPropertyTests {
    /// Scalars that mean something to a key, beside any at all.
    private static let telling = Array(
        ("aeiIvVxX159 -'’–〜~()[]{}（）&,.:!/`´ßøæłİıſςΣ\u{301}\u{307}\u{308}\u{323}\u{3099}\u{345}がカヽーﾃﾞ-片翼한라ᄒ\u{1161}\u{11AB}"
            + "ـأُकिกำ¨゛ﬁⅧ①㍻½№\u{200D}\u{AD}\u{E0001}👩🏽 ").unicodeScalars
    )

    private static let words = [
        "one", "two", "nineteen", "twenty", "hundred", "thousand", "and", "oh", "first", "part", "pt", "vol", "no",
        "eye", "i",
        "ix", "live", "feat", "ft", "remaster", "version", "(", ")", " - ", "5", "100", "the", "tёn", "ónе", "óne", "'",
        "テ", "-",
        "～", "[", "]", "1,000", "mix", "second", "ー", "&",
    ]

    private func text(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...24, using: &random)
        var text = ""
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            for _ in 0..<count {
                let value = UInt32.random(in: 0...(Bool.random(using: &random) ? 0x10FFFF : 0x33FF), using: &random)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
        case 1:
            for _ in 0..<count {
                if let scalar = Self.telling.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
            }
        default:
            for _ in 0..<count {
                text += Self.words.randomElement(using: &random) ?? ""
                if Int.random(in: 0..<4, using: &random) > 0 { text += " " }
            }
        }
        return text
    }

    private func same(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    @Test("A key of a key is the key")
    func idempotence() {
        property("idempotence of keys", rounds: 5000) { random in
            let text = SearchText(text(&random))
            let exact = SearchText(text.exact)
            let folded = SearchText(text.folded)
            let bare = SearchText(text.bare)
            return same(exact.exact, text.exact) && same(folded.exact, text.folded) && same(folded.folded, text.folded)
                && same(bare.bare, text.bare) && same(bare.folded, text.bare)
        }
    }

    @Test("Canonically equivalent texts have the same keys")
    func equivalence() {
        property("equivalent texts", rounds: 5000) { random in
            let text = text(&random)
            let (left, right) = (SearchText(text), SearchText(text.decomposedStringWithCanonicalMapping))
            return same(left.exact, right.exact) && same(left.folded, right.folded) && same(left.bare, right.bare)
        }
    }

    @Test("Tokens are never empty and have no space in them")
    func tokens() {
        property("tokens", rounds: 5000) { random in
            let text = text(&random)
            let query = SearchQuery(text, isTyping: Bool.random(using: &random))
            let tokens = SearchText(text).tokens + query.readings.joined().flatMap(\.tokens)
            return tokens.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
                && TextSimilarity.trigrams(of: text).allSatisfy { !$0.contains(" ") }
        }
    }

    @Test("A text finds itself: the tokens of a query are those of the index")
    func selfSearch() {
        property("tokens of queries", rounds: 5000) { random in
            let text = text(&random)
            return Set(SearchText(text).tokens).isSuperset(of: SearchQuery(text).readings.joined().flatMap(\.tokens))
        }
    }

    @Test("Similarity lies between 0 and 1 and does not depend on the order")
    func similarity() {
        property("similarity") { random in
            let (left, right) = (text(&random), text(&random))
            return [TextSimilarity.jaroWinkler, TextSimilarity.dice].allSatisfy { measure in
                (0...1).contains(measure(left, right)) && abs(measure(left, right) - measure(right, left)) < 1e-9
                    && measure(left, left) == 1
            }
        }
    }

    @Test(
        "A megabyte of anything has keys",
        arguments: [
            "a", "\u{301}", "(", ")", "(feat. ", ") - live", "片", "テ-", "twenty ", "\u{1161}", "\u{FDFA}",
            "e\u{301}\u{323}", "'", "10,", "x ",
        ]
    )
    func long(part: String) {
        let text = SearchText(String(repeating: part, count: 1_000_000 / part.utf8.count))
        #expect(!text.exact.isEmpty && !text.folded.isEmpty && !text.bare.isEmpty && !text.tokens.isEmpty)
    }
}
