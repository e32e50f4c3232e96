import EarshotMusic
import TestSupport
import Testing

@Suite("Queries")
struct SearchQueryTests {
    /// Whether an index that splits at spaces finds a title.
    private func finds(_ query: SearchQuery, in title: String) -> Bool {
        let tokens = SearchText(title).tokens
        func holds(_ term: SearchQuery.Term) -> Bool {
            guard tokens.count >= term.tokens.count else { return false }
            return (0...tokens.count - term.tokens.count).contains { start in
                zip(tokens[start...], term.tokens).enumerated().allSatisfy { place, pair in
                    pair.0 == pair.1
                        || term.isPrefix && place == term.tokens.count - 1 && pair.0.hasPrefix(pair.1)
                }
            }
        }
        return query.readings.contains { $0.allSatisfy(holds) }
    }

    @Test("The word still being typed is a prefix")
    func typing() {
        let query = SearchQuery("More Frie", isTyping: true)
        #expect(query.terms == [.init(tokens: ["more"]), .init(tokens: ["frie"], isPrefix: true)])
        #expect(query.readings == [query.terms])
        #expect(SearchQuery("More Frie").terms.allSatisfy { !$0.isPrefix })
        #expect(SearchQuery("more friends ", isTyping: true).terms.allSatisfy { !$0.isPrefix })
        #expect(SearchQuery("", isTyping: true).terms.isEmpty)
        #expect(SearchQuery("19", isTyping: true).terms == [.init(tokens: ["19"], isPrefix: true)])
    }

    @Test("An ambiguous beginning finds both albums, the full name one")
    func ambiguity() {
        let albums = ["More Friends: Music from Final Fantasy", "More Friends: Small World Big Band Vol. 2"]
        #expect(albums.filter { finds(SearchQuery("more friends"), in: $0) } == albums)
        #expect(albums.filter { finds(SearchQuery("more friends", isTyping: true), in: $0) } == albums)
        #expect(albums.allSatisfy { SearchText($0).folded.hasPrefix(SearchText("more friends").folded) })
        #expect(albums.filter { finds(SearchQuery("more friends music from final fantasy"), in: $0) } == [albums[0]])
        #expect(albums.filter { finds(SearchQuery("more friends volume two"), in: $0) } == [albums[1]])
        #expect(SearchText(albums[0]).folded != SearchText(albums[1]).folded)
    }

    @Test(
        "A title is found while it is typed",
        arguments: [
            "More Friends: Music from Final Fantasy", "Don’t Be Afraid", "Beyoncé", "No One Knows",
            "Nineteen Thirty One",
            "Twenty-First Century", "Led Zeppelin IV", "アンコール 再臨:片翼の天使", "Part Eye", "ＡＢＣ", "愛", "Two Thousand and One",
        ]
    )
    func everyBeginning(title: String) {
        for count in 1...title.count {
            let typed = String(title.prefix(count))
            #expect(finds(SearchQuery(typed, isTyping: true), in: title), "\(typed)")
        }
    }

    @Test("Runs without spaces are found as phrases, one character anywhere")
    func phrases() {
        let title = "アンコール 再臨:片翼の天使"
        #expect(SearchQuery("片翼の天使").terms == [.init(tokens: ["片翼", "翼の", "の天", "天使"])])
        #expect(SearchQuery("片翼の天使").terms[0].text == "片翼 翼の の天 天使")
        for part in ["片翼", "天使", "あんこーる", "ｱﾝｺ-ﾙ", "片翼 再臨", "アンコール再臨", "使", "翼", "臨", "ル"] {
            #expect(finds(SearchQuery(part), in: title), "\(part)")
        }
        for part in ["天翼", "使天", "悪", "翼天使"] { #expect(!finds(SearchQuery(part), in: title), "\(part)") }
    }

    @Test("A part of a number is found as it is written")
    func partsOfNumbers() {
        #expect(finds(SearchQuery("thirty one"), in: "Nineteen Thirty One"))
        #expect(finds(SearchQuery("one knows"), in: "No One Knows"))
        #expect(SearchQuery("part one").readings.count == 2)
        #expect(SearchQuery("part 1").readings.count == 1)
    }
}
