import EarshotMusic
import Testing

@Suite("Orders and similarity")
struct SortKeyTests {
    @Test(
        "A leading article goes to the end",
        arguments: [
            ("The Beatles", "beatles the"), ("A Day in the Life", "day in the life a"), ("Die Ärzte", "arzte die"),
            ("Los Lobos", "lobos los"), ("The The", "the the"), ("La La Land", "la la land"), ("The", "the"), ("", ""),
            ("Theory", "theory"), ("One Love", "one love"), ("Le Temps", "temps le"), ("The Then", "then the"),
            ("片翼の天使", "片翼の天使"), ("!!!", "!!!"),
        ]
    )
    func articles(text: String, key: String) {
        #expect(SortKey.key(for: text) == key)
    }

    @Test("The articles can be chosen")
    func chosen() {
        #expect(SortKey.key(for: "Die Young", articles: ["the"]) == "die young")
        #expect(SearchText("The Beatles").folded == "the beatles")
    }

    @Test("Similarity is 1 for equal texts, 0 without anything in common, and higher for fewer errors")
    func similarity() {
        for measure in [TextSimilarity.jaroWinkler, TextSimilarity.dice] {
            #expect(measure("", "") == 1 && measure("bjork", "bjork") == 1)
            #expect(measure("abc", "") == 0 && measure("abc", "xyz") == 0)
            #expect(measure("strawberry fields", "strawbery fields") > measure("strawberry fields", "raspberry field"))
        }
        #expect(abs(TextSimilarity.jaroWinkler("martha", "marhta") - 0.9611) < 0.0001)
        #expect(abs(TextSimilarity.jaroWinkler("dixon", "dicksonx") - 0.8133) < 0.0001)
        #expect(TextSimilarity.dice("black parade the", "the black parade") == 1)
    }

    @Test("Trigrams show where words begin and end")
    func trigrams() {
        #expect(TextSimilarity.trigrams(of: "rock a") == ["^ro", "roc", "ock", "ck$", "^a$"])
        #expect(TextSimilarity.trigrams(of: "aaaaa") == ["^aa", "aaa", "aa$"])
        #expect(TextSimilarity.trigrams(of: "片翼") == ["^片翼", "片翼$"])
        #expect(TextSimilarity.trigrams(of: "").isEmpty)
        #expect(TextSimilarity.trigrams(of: "😀\u{10FFFF}") == ["^😀\u{10FFFF}", "😀\u{10FFFF}$"])
    }
}
