import EarshotCore
@testable import EarshotMusic
import TestSupport
import Testing

@Suite("Files of taxonomies")
struct TaxonomyFileTests {
    private static let header = "earshot-taxonomy\t1\nkind\tgenre\nversion\t7\nid\teng\tger\taliases\n"

    private func read(_ text: String, extending base: Taxonomy? = nil) throws(EarshotError) -> Taxonomy {
        try Taxonomy(decoding: Array(text.utf8), named: "own.tsv", extending: base)
    }

    @Test("Nodes, names, aliases and ranges are read")
    func reading() throws {
        let text = """
            \u{FEFF}earshot-taxonomy\t1\r
            # A comment.
            countries\tjp AUT\r
            version\t2026 b
            kind\tgenre

            id\teng\tja\trange\tis\taliases\t
            a \t One \t 一 \t-60\tx; y
            \t\t
              b\tTwo\t=\t60-76.5\t\tSecond; 2;
                c\tThree
            d\tFour\t\t200-
            """
        let taxonomy = try read(text.replacing("aliases\t\n", with: "aliases\n"))
        #expect(taxonomy.kind == .genre && taxonomy.version == "2026 b" && taxonomy.countries == ["JPN", "AUT"])
        #expect(
            taxonomy.nodes == [
                .init(id: "a", names: ["eng": "One", "jpn": "一"], standsFor: ["x", "y"], range: -.infinity..<60),
                .init(
                    id: "b",
                    parent: "a",
                    names: ["eng": "Two", "jpn": "Two"],
                    aliases: ["Second", "2"],
                    range: 60..<76.5
                ),
                .init(id: "c", parent: "b", names: ["eng": "Three"]),
                .init(id: "d", names: ["eng": "Four"], range: 200 ..< .infinity),
            ]
        )
        #expect(taxonomy.languages == ["eng", "jpn"])
        #expect(taxonomy.path(to: "c").map(\.id) == ["a", "b", "c"])
        #expect(taxonomy.children(of: nil).map(\.id) == ["a", "d"])
        #expect(taxonomy.path(to: "e").isEmpty && taxonomy["e"] == nil)
    }

    @Test(
        "A fault is refused by file, line and remedy",
        arguments: [
            ("", "own.tsv: does not begin with the line `earshot-taxonomy`"),
            ("earshot-taxonomy\t2\n", "does not begin with the line"),
            ("earshot-taxonomy\t1\nkind\tgenre\n", "ends before the line of columns"),
            ("earshot-taxonomy\t1\nkind\tgenre\nid\teng\n", "has no version"),
            ("earshot-taxonomy\t1\nversion\t1\nid\teng\n", "one of genre, mood, tempo, origin, era, artistType"),
            ("earshot-taxonomy\t1\nkind\tgenre\nkind\tmood\n", "line 3: kind is there twice"),
            ("earshot-taxonomy\t1\nkind\n", "line 2: kind is not followed by a tab and one value"),
            ("earshot-taxonomy\t1\ncolour\tred\n", "line 2: `colour` is none of"),
            ("earshot-taxonomy\t1\nkind\tmood\nversion\t1\ncountries\tJPN\nid\teng\n", "only genres differ"),
            ("earshot-taxonomy\t1\nkind\tgenre\nversion\t1\ncountries\tJPN QQQ\nid\n", "QQQ is no ISO 3166-1 code"),
            ("earshot-taxonomy\t1\nkind\tgenre\nversion\t1\nextends\tmaybe\nid\n", "neither yes nor no"),
            ("earshot-taxonomy\t1\nkind\tgenre\nversion\t1\nextends\tyes\nid\n", "extends a taxonomy of genre"),
            ("earshot-taxonomy\t1\nid\teng\tEnglish\n", "line 2: the column `English` is neither"),
            ("earshot-taxonomy\t1\nid\teng\ten\n", "line 2: the column en is there twice"),
            (header + "a\tOne\na\tTwo\n", "own.tsv, line 6: node a: is there twice"),
            (header + " a\tOne\n", "line 5: is indented by 1 spaces; use two"),
            (header + "a\tOne\n    b\tTwo\n", "line 6: is indented by more than one level"),
            (header + "  a\tOne\n", "line 5: is indented by more than one level"),
            (header + "a b\tOne\n", "line 5: the identifier `a b`"),
            (header + "\tOne\n", "line 5: the identifier ``"),
            (header + "a\n", "line 5: node a: has no English name"),
            (header + "a\t\tEins\n", "line 5: node a: has no English name"),
            (header + "a\t=\n", "line 5: `=` stands for an English name that is not there"),
            (header + "a\tOne\tEins\tx\ty\n", "line 5: has 5 cells for 4 columns"),
            (header + "a\tO\u{7}ne\n", "line 5: node a: the name O\u{7}ne has a control character"),
            (header + "a\tOne\t\tx\nb\tTwo\t\tX!\n", "line 6: node b: the alias X! also means a"),
            (header + "a\tOne\t\t?\n", "line 5: node a: the alias ? has no letter"),
            (header + "a\t\(String(repeating: "x", count: 201))\n", "has more than 200 bytes"),
            ("earshot-taxonomy\t1\nkind\ttempo\nversion\t1\nid\teng\trange\na\tOne\t9-8\n", "line 5: the range `9-8`"),
            ("earshot-taxonomy\t1\nkind\tgenre\nversion\t1\nid\teng\tis\na\tOne\tb\n", "line 5: node a: stands for b"),
        ]
    )
    func faults(text: String, message: String) throws {
        let error = try #require(throws: EarshotError.self) { try read(text) }
        #expect(error.code == .taxonomyInvalid)
        #expect(error.message.hasPrefix("own.tsv") && error.message.contains(message), "\(error.message)")
        #expect(!error.message.contains("\n"))
    }

    @Test("Bytes that are not UTF-8 are refused by line, and large files unread")
    func bytes() throws {
        let error = try #require(throws: EarshotError.self) {
            try Taxonomy(decoding: Array(Self.header.utf8) + [0x61, 0xFF], named: "own.tsv")
        }
        #expect(error.message == "own.tsv, line 5: is not UTF-8; save the file in UTF-8")
        let large = try #require(throws: EarshotError.self) {
            try Taxonomy(decoding: repeatElement(0x20, count: Taxonomy.Limits.fileBytes + 1), named: "own.tsv")
        }
        #expect(large.message.contains("the most is 4194304"))
    }

    @Test("Limits hold: nodes, depth, aliases, identifiers")
    func limits() throws {
        func refused(_ lines: [String], _ message: String) throws {
            let error = try #require(throws: EarshotError.self) {
                try read(Self.header + lines.joined(separator: "\n"))
            }
            #expect(error.message.contains(message), "\(error.message)")
        }
        try refused((0...Taxonomy.Limits.nodes).map { "n\($0)\tN" }, "has more than 20000 nodes")
        let ladder = (0..<9).map { String(repeating: "  ", count: $0) + "n\($0)\tN\($0)" }
        try refused(ladder, "line 13: node n8: is level 9; the deepest is 8")
        _ = try read(Self.header + ladder.dropLast().joined(separator: "\n"))
        try refused(["a\tA\t\t" + (0..<65).map { "x\($0)" }.joined(separator: ";")], "has more than 64 aliases")
        try refused([String(repeating: "a", count: 65) + "\tA"], "is not of 1 to 64 letters")
    }

    @Test("Nodes of a program are checked as those of a file: parents, cycles, names")
    func nodes() throws {
        func refused(_ nodes: [Taxonomy.Node], _ message: String) throws {
            let error = try #require(throws: EarshotError.self) {
                try Taxonomy(kind: .mood, version: "1", nodes: nodes)
            }
            #expect(error.code == .taxonomyInvalid)
            #expect(error.message.contains(message), "\(error.message)")
        }
        func node(_ id: String, _ parent: String? = nil) -> Taxonomy.Node {
            Taxonomy.Node(id: id, parent: parent, names: ["eng": id])
        }
        try refused([node("a", "b")], "node a: its parent b is not there")
        try refused([node("a", "a")], "node a: stands below itself")
        try refused([node("z"), node("a", "b"), node("b", "c"), node("c", "a")], "node a: stands below itself")
        try refused([node("a"), node("a")], "node a: is there twice")
        try refused([Taxonomy.Node(id: "a", names: ["eng": "A", "ger": "A"])], "ger is no three-letter code")
        try refused([Taxonomy.Node(id: "a", names: ["eng": "="])], "a name is `=`")
        try refused([Taxonomy.Node(id: "a", names: ["eng": "A"], aliases: ["x;y"])], "has a semicolon")
        try refused([Taxonomy.Node(id: "a", names: ["eng": "A"], range: 1..<1)], "its range is empty")
        // In any order, as long as every parent is there.
        let taxonomy = try Taxonomy(kind: .mood, version: "1", nodes: [node("b", "a"), node("c", "b"), node("a")])
        #expect(taxonomy.nodes.map(\.id) == ["a", "b", "c"])
    }

    @Test("The built-in hierarchies come unchanged through writing and reading")
    func roundTrip() throws {
        for taxonomy in Taxonomies.builtIn.all {
            #expect(try Taxonomy(decoding: taxonomy.encoded(), named: "again.tsv") == taxonomy)
        }
    }

    @Test("Any bytes are read or refused with one error, and what is read can be written")
    func arbitraryBytes() throws {
        // Small files, so that a change often meets a rule; the head of a large one has most of them.
        let seeds = try Taxonomies.readBuiltIn().all.map { taxonomy in
            let lines = taxonomy.encoded().split(separator: UInt8(ascii: "\n")).prefix(14)
            return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        }
        let base = try #require(Taxonomies.builtIn.taxonomy(.genre))
        property("files of taxonomies") { generator in
            let seed = seeds.randomElement(using: &generator) ?? []
            let bytes = generator.mutated(seed)
            do {
                let taxonomy = try Taxonomy(decoding: bytes, named: "own.tsv", extending: base)
                _ = taxonomy.node(matching: String(decoding: bytes, as: UTF8.self))
                return try Taxonomy(decoding: taxonomy.encoded(), named: "again.tsv") == taxonomy
            } catch let error as EarshotError {
                return error.code == .taxonomyInvalid && error.message.hasPrefix("own.tsv")
            }
        }
    }
}
