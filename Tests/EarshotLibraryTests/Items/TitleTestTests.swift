import EarshotLibrary
import EarshotMusic
import TestSupport
import Testing

@Suite("Tests of titles")
struct TitleTestTests {
    /// 740 titles, 168 of which hold "the": some as a word, some within one, in any letter case.
    static let reference = (0..<740).map { number in
        let title =
            switch number {
            case 0..<60: "The Song \(number)"
            case 60..<110: "Under THE Bridge \(number)"
            case 110..<140: "Weather Report \(number)"
            case 140..<168: "Another Day \(number)"
            default: "Title \(number)"
            }
        return LibrarySamples.item(title, id: String(number))
    }
    static let untitled = (0..<10).map { LibrarySamples.item(nil, id: "untitled \($0)") }

    @Test("Titles that hold a text are counted, whatever their letter case", .requirements("R-MR-105"))
    func count() {
        #expect(TitleTest("the").count(in: Self.reference) == 168)
        #expect(LibraryIndex(Self.reference).count(TitleTest("tHe")) == 168)
    }

    @Test("An absent title never passes", .requirements("R-MR-106"), arguments: TitleTest.Mode.allCases)
    func absent(mode: TitleTest.Mode) {
        #expect(TitleTest("the").count(in: Self.reference + Self.untitled) == 168)
        #expect(!TitleTest("*", mode).matches(nil) && !TitleTest("", mode).matches(nil))
        #expect(!TitleTest("", mode).matches("Title") && !TitleTest("", mode).matches(""))
    }

    @Test("Whole words are an option", .requirements("R-MR-107"))
    func words() {
        #expect(TitleTest("the").matches("Weather") && !TitleTest("the", .wholeWords).matches("Weather"))
        #expect(TitleTest("the", .wholeWords).count(in: Self.reference) == 110)
        for title in ["The", "Before the end", "(THE)", "the-end", "Over \"the\" hill", "ｔｈｅ", "the’"] {
            #expect(TitleTest("the", .wholeWords).matches(title), "\(title)")
        }
        for title in ["other", "the2", "thé", "then", "breathe"] {
            #expect(!TitleTest("the", .wholeWords).matches(title), "\(title)")
        }
        #expect(
            !TitleTest("don", .wholeWords).matches("Don’t") && TitleTest("don't", .wholeWords).matches("I DON’T know")
        )
        #expect(TitleTest("天使", .wholeWords).matches(LibrarySamples.advent))
    }

    @Test(
        "Letter case is folded in every script",
        arguments: [
            ("straße", "STRASSE"), ("οδος", "ΟΔΟΣ"), ("дорога", "ДОРОГА"), ("É", "cafe\u{301}"), ("ＡＢＣ", "abc"),
            ("が", "か\u{3099}くせい"), ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
        ]
    )
    func folding(text: String, title: String) {
        #expect(TitleTest(text).matches(title))
    }

    @Test("A letter is not found in one with a mark", arguments: [("e", "é"), ("か", "が"), ("e", "e\u{301}\u{302}")])
    func marks(text: String, title: String) {
        #expect(!TitleTest(text).matches(title))
    }

    @Test(
        "A pattern fits a whole title",
        arguments: [
            ("the *", "The End", true), ("*the*", "Weather", true), ("the", "The End", false), ("?ello", "Hello", true),
            ("?ello", "Othello", false), ("*", "x", true), ("a*b*c", "A-b-b-C", true), ("a*b*c", "abcd", false),
            ("1\\*2", "1*2", true), ("1\\*2", "1x2", false), ("?", "が", true), ("エアリス*マ", "エアリスのテ-マ", true),
            ("a\\", "A\\", true), ("**", "", true), ("?", "", false), ("a**?", "ab", true),
        ]
    )
    func patterns(pattern: String, title: String, fits: Bool) {
        #expect(TitleTest(pattern, .pattern).matches(title) == fits)
    }

    @Test("A pattern of many stars ends soon")
    func stars() {
        let pattern = String(repeating: "a*", count: 100) + "b"
        #expect(!TitleTest(pattern, .pattern).matches(String(repeating: "a", count: 2_000)))
    }

    @Test("Every text holds its parts, and fits itself and a star")
    func properties() {
        property("tests of titles", rounds: 2_000) { random in
            let scalars = Array("aeTHtheéßのテ-マ한 '’*?\\\u{301}\u{3099}１👩🏽".unicodeScalars)
            var text = "x"
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                if let scalar = scalars.randomElement(using: &random) { text.unicodeScalars.append(scalar) }
            }
            let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
                if "*?\\".unicodeScalars.contains(scalar) { result.append("\\") }
                result.unicodeScalars.append(scalar)
            }
            return TitleTest(text).matches(text) && TitleTest(text, .wholeWords).matches(text)
                && TitleTest(text).matches("y " + text + " y")
                && TitleTest(escaped, .pattern).matches(text.uppercased())
                && TitleTest(escaped + "*", .pattern).matches(text)
        }
    }
}
