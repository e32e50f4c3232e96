import Testing

@testable import EarshotAlbums

@Suite("Likeness of titles")
struct TextKeyTests {
    private func likeness(_ left: String, _ right: String) -> Double? {
        TextKey(left).flatMap { key in TextKey(right).map { key.likeness($0) } }
    }

    @Test(
        "mistakes, additions and the order of words take little",
        arguments: [
            ("Lantern", "Lanten"), ("Paper Boats", "Papper Boats"), ("A Winter Abroad", "A Wniter Abroad"),
            ("No Return Ticket", "No Return Ticket (Remastered 2011)"), ("Harbour Lights", "Lights, Harbour"),
            ("The Clockmaker", "Clockmaker, The"), ("Last Tram Home", "LAST TRAM HOME"),
        ]
    )
    func alike(left: String, right: String) throws {
        #expect(try #require(likeness(left, right)) > 0.8)
        #expect(likeness(left, right) == likeness(right, left))
    }

    @Test(
        "another word or another number makes another title",
        arguments: [
            ("music menu", "music game"), ("track3", "track15"), ("stg1", "stg2"), ("Part 1", "Part 2"),
            ("Salt", "Barn"), ("Night Bus", "Night Train"), ("Symphony No. 5", "Symphony No. 7"),
        ]
    )
    func different(left: String, right: String) throws {
        #expect(try #require(likeness(left, right)) <= 0.7)
    }

    @Test("what has nothing to be seen in it is no title")
    func empty() {
        #expect(TextKey("") == nil)
        #expect(TextKey(" \u{200B}") == nil)
        #expect(TextKey(nil) == nil)
    }
}
