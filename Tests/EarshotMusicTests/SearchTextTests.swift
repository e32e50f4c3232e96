import EarshotMusic
import TestSupport
import Testing

@Suite("Keys of texts")
struct SearchTextTests {
    private func expectEqual(
        _ texts: String...,
        by key: KeyPath<SearchText, String>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let keys = Set(texts.map { SearchText($0)[keyPath: key] })
        #expect(keys.count == 1, "\(keys)", sourceLocation: sourceLocation)
        #expect(keys.first?.isEmpty == false, sourceLocation: sourceLocation)
    }

    private func expectDifferent(
        _ left: String,
        _ right: String,
        by key: KeyPath<SearchText, String>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(SearchText(left)[keyPath: key] != SearchText(right)[keyPath: key], sourceLocation: sourceLocation)
    }

    @Test("A hyphen between or after kana is a long-vowel mark", .requirements("R-MR-129"))
    func longVowels() {
        expectEqual(
            "エアリスのテ-マ",
            "エアリスのテーマ",
            "エアリスのテ‐マ",
            "エアリスのテ—マ",
            "エアリスのテ－マ",
            "エアリスのテ〜マ",
            "ｴｱﾘｽのﾃｰﾏ",
            "ｴｱﾘｽのﾃ-ﾏ",
            by: \.exact
        )
        expectEqual("スーパ-", "スーパー", "ス-パ- ", by: \.exact)
        expectEqual("か\u{3099}-ん", "がーん", by: \.exact)
        #expect(SearchText("テーマ - メイン").exact == "テーマ メイン")
        #expect(SearchText("ゲーム-Original").exact == "ゲーム original")
        #expect(SearchText("曲名 -ライブ-").exact == "曲名 ライブ")
        #expect(SearchText("物語〜第一章〜").exact == "物語 第一章")
        #expect(SearchText("twenty-four").exact == "24")
    }

    @Test("Widths, colons and spaces of every kind are equal", .requirements("R-MR-130"))
    func widths() {
        expectEqual(
            "アンコール 再臨:片翼の天使",
            "アンコール　再臨：片翼の天使",
            "ｱﾝｺｰﾙ 再臨：片翼の天使",
            "アンコール\u{A0}再臨・片翼の天使",
            by: \.exact
        )
        expectEqual("ABC 123", "ＡＢＣ　１２３", "abc １２３", by: \.exact)
        expectEqual("ガギグ", "ｶﾞｷﾞｸﾞ", "カ゛キ゛ク゛", by: \.exact)
        expectEqual("Track ٣", "Track ३", "Track 3", "Track ③", by: \.exact)
    }

    @Test("Apostrophes are equal and no part of a word", .requirements("R-MR-130"))
    func apostrophes() {
        expectEqual(
            "Don't Be Afraid",
            "Don’t Be Afraid",
            "Donʼt Be Afraid",
            "Don＇t Be Afraid",
            "Don`t Be Afraid",
            "Don´t Be Afraid",
            "DONT BE AFRAID",
            by: \.exact
        )
        #expect(SearchText("Rock 'n' Roll").exact == "rock n roll")
        #expect(SearchText("Gettin’ Jiggy").exact == "gettin jiggy")
    }

    @Test("Punctuation separates words; an ampersand is a word")
    func punctuation() {
        expectEqual("Anti-Hero", "Anti–Hero", "Anti hero", "anti/hero", "«Anti» … Hero!", by: \.exact)
        expectEqual("Simon & Garfunkel", "Simon and Garfunkel", "Simon ＆ Garfunkel", "Simon&Garfunkel", by: \.exact)
        expectEqual("10,000 Maniacs", "10000 maniacs", "ten thousand maniacs", by: \.exact)
        #expect(SearchText("a,000 1,0000 1,2").exact == "a 000 1 0000 1 2")
    }

    @Test(
        "A title of signs has a key",
        arguments: ["!!!", "÷", "( )", "…", "+", "♥", "👩‍🚀🇯🇵", "&", "''", "`", "?", "\u{301}", "¨", "--", "ー", "~"]
    )
    func signs(title: String) {
        let text = SearchText(title)
        for key in [text.exact, text.folded, text.bare] { #expect(!key.isEmpty) }
        #expect(!text.tokens.isEmpty)
    }

    @Test("What cannot be seen has no key", arguments: ["", " ", "\u{3000}\n\t", "\u{200B}\u{FEFF}", "\u{0}"])
    func invisible(title: String) {
        #expect(SearchText(title).exact.isEmpty && SearchText(title).tokens.isEmpty)
    }

    @Test("Composed and decomposed forms are equal", .requirements("R-MR-132"))
    func forms() {
        expectEqual("é", "e\u{301}", by: \.exact)
        expectEqual("が", "か\u{3099}", by: \.exact)
        expectEqual("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", by: \.exact)
        expectEqual("\u{D558}\u{11AB}", "한", by: \.exact)
        expectEqual("o\u{323}\u{302}", "o\u{302}\u{323}", "ộ", by: \.exact)
        expectEqual("ﬁle №２", "file no. 2", by: \.exact)
        #expect(SearchText("e\u{301}").exact.unicodeScalars.count == 1)
        #expect(SearchText("か\u{3099}").exact.unicodeScalars.elementsEqual("が".unicodeScalars))
    }

    @Test("Letter case is equal in every script")
    func letterCase() {
        expectEqual("Дорога", "дорога", "ДОРОГА", by: \.exact)
        expectEqual("ΟΔΥΣΣΕΑΣ", "οδυσσεας", "οδυσσεασ", by: \.exact)
        expectEqual("Straße", "STRASSE", "STRAẞE", by: \.exact)
        expectEqual("İstanbul", "istanbul", "ISTANBUL", "I\u{307}stanbul", by: \.folded)
        #expect(SearchText("İ").folded.unicodeScalars.count == 1)
        #expect(!SearchText("DİYARBAKIR").folded.unicodeScalars.contains("\u{307}"))
    }

    @Test("Diacritics differ in the stronger key only")
    func diacritics() {
        for (written, plain) in [
            ("Beyoncé", "beyonce"), ("Sigur Rós", "sigur ros"), ("Mötley Crüe", "motley crue"), ("Björk", "bjork"),
            ("Þursaflokkurinn", "thursaflokkurinn"), ("Ætla", "aetla"), ("Røyksopp", "royksopp"), ("Łódź", "lodz"),
            ("Đorđe", "dorde"), ("Œuvre", "oeuvre"), ("Antonín Dvořák", "antonin dvorak"), ("Ёлка", "елка"),
        ] {
            #expect(SearchText(written).folded == plain)
            expectDifferent(written, plain, by: \.exact)
        }
        expectDifferent("が", "か", by: \.folded)
        expectDifferent("ぱ", "は", by: \.folded)
        expectDifferent("किताब", "कताब", by: \.folded)
    }

    @Test("Tatweel and vowel signs of Arabic do not count in the weaker key")
    func arabic() {
        expectEqual("محمد", "محـمـد", "مُحَمَّد", by: \.folded)
        expectEqual("أم كلثوم", "ام كلثوم", by: \.folded)
    }

    @Test("Hiragana and katakana are equal in the weaker key only")
    func kana() {
        expectEqual("らーめん", "ラーメン", "ﾗｰﾒﾝ", "ラ-メン", by: \.folded)
        expectEqual("ヴァイオリン", "ゔぁいおりん", by: \.folded)
        expectDifferent("らーめん", "ラーメン", by: \.exact)
    }

    @Test("Different titles in Japanese have different keys", .requirements("R-MR-119"))
    func distinct() {
        for key in [\SearchText.exact, \.folded, \.bare] {
            expectDifferent("エアリスのテ-マ", "アンコール 再臨:片翼の天使", by: key)
        }
        #expect(
            Set(SearchText("エアリスのテ-マ").tokens).isDisjoint(with: SearchText("アンコール 再臨:片翼の天使").tokens)
        )
    }

    @Test(
        "The original is kept",
        arguments: ["エアリスのテ-マ", "アンコール 再臨:片翼の天使", " Cafe\u{301}’s "]
    )
    func original(title: String) {
        #expect(Array(SearchText(title).original.utf8) == Array(title.utf8))
    }

    @Test("Scripts without spaces are cut into pairs of characters")
    func pairs() {
        #expect(SearchText("片翼の天使").tokens == ["片翼", "翼の", "の天", "天使", "使"])
        #expect(SearchText("愛").tokens == ["愛"])
        #expect(SearchText("愛 Love 2").tokens == ["愛", "love", "2"])
        #expect(SearchText("ファイナルファンタジーVII").exact == "ファイナルファンタジー 7")
        #expect(SearchText("か\u{301}き").tokens == ["かき", "き"])
        let whole = Set(SearchText("アンコール 再臨:片翼の天使").tokens)
        for part in ["片翼の天使", "再臨", "アンコール", "アンコール再臨"] { #expect(whole.isSuperset(of: SearchText(part).tokens)) }
    }

    @Test("An index has numbers in both ways")
    func numberTokens() {
        #expect(SearchText("No One Knows").tokens == ["number", "1", "knows", "no", "one"])
        #expect(SearchText("1931").tokens == ["1931"])
    }
}
