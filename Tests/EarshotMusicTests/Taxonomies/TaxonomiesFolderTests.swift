import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Taxonomies of an operator")
struct TaxonomiesFolderTests {
    private func load(_ files: [String: String], over base: Taxonomies = .builtIn) throws -> Taxonomies {
        try withTemporaryFolder { folder in
            for (name, text) in files {
                try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            }
            return try Taxonomies(contentsOf: folder, over: base)
        }
    }

    private func file(_ kind: String, _ header: String = "", _ lines: String...) -> String {
        "earshot-taxonomy\t1\nkind\t\(kind)\nversion\town\n\(header)" + lines.joined(separator: "\n") + "\n"
    }

    @Test("A file takes the place of the hierarchy of its kind, and leaves the others")
    func replaces() throws {
        let own = try load(["m.tsv": file("mood", "", "id\teng\tswe", "good\tGood\tBra"), "notes.txt": "no taxonomy"])
        #expect(own.descriptors(.mood, for: "good", language: "sv") == [Descriptor(id: "good", name: "Bra")])
        #expect(own.descriptors(.mood, for: "happy").isEmpty)
        #expect(own.taxonomy(.tempo) == Taxonomies.builtIn.taxonomy(.tempo))
        #expect(own.taxonomy(.genre, country: "JPN") == Taxonomies.builtIn.taxonomy(.genre, country: "JPN"))
        #expect(own.languages.contains("swe"))
    }

    @Test("Genres that are replaced take those of countries with them")
    func replacesGenres() throws {
        let genre = file("genre", "", "id\teng", "a\tA", "  b\tB")
        #expect(try load(["genre.tsv": genre]).countries.isEmpty)
        // Named so that it comes before the one that it refers to.
        let country = file("genre", "countries\tFRA BEL\n", "id\teng\tis", "fra.b\tBé\tb")
        let own = try load(["genre.tsv": genre, "a.tsv": country])
        #expect(own.countries == ["BEL", "FRA"])
        #expect(own.descriptors(.genre, for: "b", country: "BEL").map(\.id) == ["fra.b"])
        #expect(own.descriptors(.genre, for: "b", country: "DEU").map(\.id) == ["a"])
        #expect(own.all.count == DescriptorKind.allCases.count + 1)
    }

    @Test("A file that extends adds nodes, names and aliases")
    func extends() throws {
        let text = file(
            "genre",
            "extends\tyes\n",
            "id\teng\tswe\taliases",
            "rock\t\tRock'n",
            "  progg\tProgg\tProgg\tProggrock",
            "polska\tPolska"
        )
        let own = try load(["genre.tsv": text])
        let progg = own.descriptors(.genre, for: "progg", level: .extended, language: "swe")
        #expect(progg.map(\.name) == ["Rock'n", "Progg"])
        #expect(own.descriptors(.genre, for: "rock", language: "jpn").map(\.name) == ["ロック"])
        #expect(own.descriptors(.genre, for: "progg", country: "JPN").map(\.id) == ["jpn.western-rock"])
        #expect(own.descriptors(.genre, for: "polska", country: "JPN").map(\.id) == ["polska"])
        #expect(own.node(.genre, matching: "proggrock")?.id == "progg")
        #expect(own.taxonomy(.genre)?.version == "own")
        let japan = file("genre", "extends\tyes\ncountries\tJPN\n", "id\teng\tis", "jpn.noise\tNoise\tnoise")
        let extended = try load(["japan.tsv": japan])
        #expect(extended.descriptors(.genre, for: "noise", country: "JPN").map(\.id) == ["jpn.noise"])
        #expect(extended.descriptors(.genre, for: "enka", country: "JPN").map(\.id) == ["jpn.enka-kayo"])
        #expect(extended.taxonomy(.genre, country: "DEU") == Taxonomies.builtIn.taxonomy(.genre, country: "DEU"))
    }

    @Test("What does not fit together is refused by file and node")
    func faults() throws {
        func refused(_ files: [String: String], _ message: String) throws {
            let error = try #require(throws: EarshotError.self) { try load(files) }
            #expect(error.code == .taxonomyInvalid)
            #expect(error.message.contains(message), "\(error.message)")
        }
        let moods = file("mood", "", "id\teng", "a\tA")
        try refused(["a.tsv": moods, "b.tsv": moods], "b.tsv: is of the same kind and country as a.tsv")
        try refused(
            ["x.tsv": file("genre", "countries\tFRA\n", "id\teng\tis", "fra.a\tA\tnothing")],
            "genre of FRA: node fra.a: stands for nothing, which is no international genre"
        )
        try refused(
            ["x.tsv": file("genre", "countries\tFRA\n", "id\teng", "rock\tRock")],
            "node rock: has the identifier of another genre"
        )
        try refused(
            ["x.tsv": file("genre", "countries\tFRA\n", "id\teng", "jpn.enka\tEnka")],
            "node jpn.enka: has the identifier of another genre"
        )
        try refused(
            ["x.tsv": file("genre", "extends\tyes\n", "id\teng", "pop\t", "  shoegaze\t")],
            "x.tsv, line 7: node shoegaze: stands elsewhere in what is extended"
        )
        try refused(
            ["x.tsv": file("genre", "extends\tyes\ncountries\tFRA\n", "id\teng", "fra.a\tA")],
            "x.tsv: extends a taxonomy of genre that is not there"
        )
    }

    @Test("A folder that is missing, or has no file, is refused")
    func folders() throws {
        let missing = try #require(throws: EarshotError.self) {
            try Taxonomies(contentsOf: URL(fileURLWithPath: "/nowhere/at-all"))
        }
        #expect(missing.code == .assetNotFound && missing.message.contains("/nowhere/at-all"))
        let empty = try #require(throws: EarshotError.self) { try load([:]) }
        #expect(empty.code == .assetNotFound && empty.message.contains(".tsv"))
    }

    @Test("Two hierarchies of one kind, or of one country, are refused")
    func twice() throws {
        let mood = try #require(Taxonomies.builtIn.taxonomy(.mood))
        #expect(throws: EarshotError.self) { try Taxonomies([mood, mood]) }
        let japan = try #require(Taxonomies.builtIn.taxonomy(.genre, country: "JPN"))
        #expect(throws: EarshotError.self) { try Taxonomies([japan, japan]) }
    }
}
