import EarshotMusic
import TestSupport
import Testing

@Suite("Additions to titles")
struct SearchAnnotationTests {
    @Test(
        "An addition does not count in the weakest key, and does in the others",
        .requirements("R-MR-125"),
        arguments: [
            "Song (Live)", "Song [Remastered 2011]", "Song - Remastered", "Song (Music Video Version)",
            "Song (feat. X)",
            "Song ft. X", "Song feat. X & Y", "Song featuring Somebody", "Song - Single Version",
            "Song (Deluxe Edition)",
            "Song (Live at Wembley)", "Song (2009 Remaster)", "Song – 2009 Remastered Version",
            "Song (Live) [Remastered]",
            "Song (feat. X) - Live at the Y", "Song （ライブ）", "Song［リミックス］", "Song【ライブ】", "Song (Radio Edit)",
            "Song (Acoustic)", "Song / Live 1999", "Song (Official Video)", "Song (Original Motion Picture Soundtrack)",
            "Song -Live Version-", "Song 〜Live〜", "Song (From \"Film\")", "Song (Bonus Track)", "Song (라이브)",
            "Song（現場）", "Song (初回限定盤)", "Song (En Vivo)", "Song (TV Size)", "Song (Remix by Z)", "Song (with Z)",
            "Song (Live (at Home))", "(feat. X) Song",
        ]
    )
    func stripped(title: String) {
        #expect(SearchText(title).bare == "song")
        #expect(SearchText(title).folded != "song")
    }

    @Test(
        "A part of the title stays, and never is nothing left",
        arguments: [
            ("(Untitled)", "untitled"), ("Live", "live"), ("(Live)", "live"), ("(Live) (Remastered)", "live"),
            ("(I Can't Get No) Satisfaction", "1 cant get no satisfaction"), ("Live and Let Die", "live and let die"),
            ("Escape (The Piña Colada Song)", "escape the pina colada song"), ("Title (Part 2)", "title part 2"),
            ("Single Ladies (Put a Ring on It)", "single ladies put a ring on it"),
            ("Remix (Ignition)", "remix ignition"),
            ("Oasis - Live Forever", "oasis live forever"), ("Title (Where I Live)", "title where 1 live"),
            ("!!! (Live)", "!!!"), ("Feat. Y", "feat y"), ("(feat. Y)", "feat y"), ("6 ft 7", "6 ft 7"),
            ("Song ft", "song ft"),
            ("- (Live)", "-"), ("Anti-Live", "anti live"), ("Song (unclosed", "song unclosed"),
            ("Song) Live", "song live"),
            ("Song (feat. X) Part II", "song part 2"), ("Dancing With Myself", "dancing with myself"), ("()", "()"),
        ]
    )
    func kept(title: String, bare: String) {
        #expect(SearchText(title).bare == bare)
    }

    @Test("The title with the addition of the fixture", .requirements("R-MR-125"))
    func fixture() {
        let text = SearchText("The Black Parade (Music Video Version)")
        #expect(text.bare == "the black parade")
        #expect(text.bare == SearchText("The Black Parade").exact)
        #expect(text.folded != SearchText("The Black Parade").folded)
    }

    @Test("Titles without spaces")
    func unspaced() {
        #expect(SearchText("片翼の天使（ライブ）").bare == "片翼の天使")
        #expect(SearchText("曲名 -ライブ-").bare == "曲名")
        #expect(SearchText("曲名（でも）").bare == "曲名")
        #expect(SearchText("それでも（でもね）").bare == "それでも でもね")
    }
}
