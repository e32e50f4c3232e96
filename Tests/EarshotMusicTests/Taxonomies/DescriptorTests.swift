import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Descriptors")
struct DescriptorTests {
    private let taxonomies = Taxonomies.builtIn
    /// One of the lowest level for each kind.
    private let ids: [DescriptorKind: String] = [
        .genre: "klezmer", .mood: "nostalgic", .tempo: "fast-120s", .origin: "JPN", .era: "1990s-mid",
        .artistType: "girl-group",
    ]

    private func all(
        _ level: DescriptorLevel,
        language: String? = nil,
        country: String? = nil
    ) -> [DescriptorKind: [Descriptor]] {
        let levels = Dictionary(uniqueKeysWithValues: DescriptorKind.allCases.map { ($0, level) })
        return taxonomies.descriptors(for: ids, levels: levels, language: language, country: country)
    }

    @Test("Every descriptor has a name and an identifier", .requirements("R-MC-138"))
    func parts() {
        for kind in DescriptorKind.allCases {
            for node in taxonomies.taxonomy(kind)?.nodes ?? [] {
                let list = taxonomies.descriptors(kind, for: node.id, level: .extended)
                #expect(list.allSatisfy { !$0.id.isEmpty && !$0.name.isEmpty })
                #expect(list.last == Descriptor(id: node.id, name: node.name()))
            }
        }
    }

    @Test("The default level gives one descriptor of every kind, the top one", .requirements("R-MC-141"))
    func one() {
        let lists = all(.default)
        #expect(Set(lists.keys) == Set(DescriptorKind.allCases))
        #expect(lists.values.allSatisfy { $0.count == 1 })
        #expect(lists[.genre] == [Descriptor(id: "world", name: "World")])
        #expect(lists[.origin] == [Descriptor(id: "asia", name: "Asia")])
        #expect(lists[.era] == [Descriptor(id: "1990s", name: "1990s")])
    }

    @Test("The extended level gives all from broad to narrow, beginning with that one", .requirements("R-MC-142"))
    func several() {
        let names = taxonomies.descriptors(.genre, for: "shoegaze", level: .extended).map(\.name)
        #expect(names == ["Alternative", "Indie Rock", "Shoegaze"])
        for country in [nil, "JPN", "DEU", "USA"] {
            for kind in DescriptorKind.allCases {
                let hierarchies = [taxonomies.taxonomy(kind), taxonomies.taxonomy(kind, country: country)]
                for node in hierarchies.flatMap({ $0?.nodes ?? [] }) {
                    let list = taxonomies.descriptors(kind, for: node.id, level: .extended, country: country)
                    #expect(Set(list.map(\.id)).count == list.count)
                    #expect(
                        taxonomies.descriptors(kind, for: node.id, country: country) == Array(list.prefix(1))
                            && !list.isEmpty
                    )
                }
            }
        }
    }

    @Test(
        "The level of one kind leaves the others alone",
        .requirements("R-MC-143"),
        arguments: DescriptorKind.allCases
    )
    func independent(kind: DescriptorKind) {
        let lists = taxonomies.descriptors(for: ids, levels: [kind: .extended])
        for (other, list) in lists { #expect((list.count > 1) == (other == kind), "\(other)") }
    }

    @Test("A language changes the names of every kind, and no identifier", .requirements("R-MC-139", "R-MC-152"))
    func languages() {
        let english = all(.extended, language: "eng")
        for language in ["jpn", "deu", "spa", "fra"] {
            let other = all(.extended, language: language)
            for kind in DescriptorKind.allCases {
                #expect(other[kind]?.map(\.id) == english[kind]?.map(\.id))
                #expect(other[kind]?.map(\.name) != english[kind]?.map(\.name), "\(kind) \(language)")
            }
        }
        for spelling in ["deu", "ger", "de", "DE", "de-DE", "de_AT"] {
            #expect(all(.extended, language: spelling) == all(.extended, language: "deu"), "\(spelling)")
        }
    }

    @Test("A language that is not known, or a name that is missing, falls back to English", .requirements("R-MC-153"))
    func fallback() throws {
        for language in ["xho", "zz", "tlh", "", "no language", "12", String(repeating: "x", count: 1_000)] {
            #expect(all(.extended, language: language) == all(.extended))
        }
        let nodes = [
            Taxonomy.Node(id: "a", names: ["eng": "A", "jpn": "ア"]),
            Taxonomy.Node(id: "b", parent: "a", names: ["eng": "B"]),
        ]
        let own = try Taxonomies([Taxonomy(kind: .mood, version: "1", nodes: nodes)])
        #expect(own.descriptors(.mood, for: "b", level: .extended, language: "ja").map(\.name) == ["ア", "B"])
    }

    @Test("A country changes the genres and nothing else", .requirements("R-MC-149"))
    func countries() {
        let lists = [nil, "JPN", "DEU", "USA"].map { all(.extended, country: $0) }
        #expect(Set(lists.map { $0[.genre] }).count == lists.count)
        for kind in DescriptorKind.allCases where kind != .genre {
            #expect(Set(lists.map { $0[kind] }).count == 1, "\(kind)")
        }
        func names(_ id: String, _ country: String?) -> [String] {
            taxonomies.descriptors(.genre, for: id, level: .extended, country: country).map(\.name)
        }
        #expect(names("enka", nil) == ["Folk", "Enka"])
        #expect(names("enka", "JPN") == ["Enka & Kayokyoku", "Enka"])
        #expect(names("anime", "jp") == ["Anime & Games", "Anime"])
        #expect(names("schlager", "DEU") == ["Schlager"])
        #expect(names("alpine-folk", "DEU") == ["Volksmusik", "Alpine"])
        // What the country has no genre for keeps its international descriptors below.
        #expect(names("shoegaze", "JPN") == ["International Rock", "Alternative", "Indie Rock", "Shoegaze"])
        // Stored with the identifier of a country, and shown elsewhere.
        #expect(names("jpn.enka", "JPN") == ["Enka & Kayokyoku", "Enka"])
        #expect(names("jpn.enka", nil) == ["Folk", "Enka"])
        #expect(names("jpn.enka", "DEU") == ["Country & Folk", "Folk", "Enka"])
        #expect(names("jpn.anime-game", "FRA") == ["Anime & Games"])
        #expect(names("nothing", "JPN") == [])
    }

    @Test("Every code of ISO 3166-1 is accepted, and any other text too", .requirements("R-MC-150"))
    func codes() {
        #expect(ISOCodes.countries.count == 249 && Set(ISOCodes.countries).count == 249)
        for code in ISOCodes.countries + ["XXX", "", "Atlantis", "ÄÖ", "-", "US-", "zz-ZZ"] {
            let list = taxonomies.descriptors(.genre, for: "enka", country: code)
            #expect(list.count == 1, "\(code)")
            if !taxonomies.countries.contains(code), ISOCodes.country(code) != "USA" {
                #expect(list == taxonomies.descriptors(.genre, for: "enka"), "\(code)")
            }
        }
    }

    @Test("Codes of countries and languages are known in every form")
    func forms() {
        for code in ["JPN", "jpn", "JP", "jp", "ja-JP", "ja_JP"] { #expect(ISOCodes.country(code) == "JPN", "\(code)") }
        #expect(ISOCodes.country("de-AT") == "AUT")
        #expect(ISOCodes.country("XXX") == nil)
        let languages = [
            "ja": "jpn", "fre": "fra", "fra": "fra", "chi": "zho", "zh-Hant-TW": "zho", "EN": "eng", "cy": "cym",
        ]
        for (text, code) in languages { #expect(ISOCodes.language(text) == code, "\(text)") }
        #expect(ISOCodes.language("x") == nil)
        #expect(ISOCodes.language("日本語") == nil)
    }

    @Test("A descriptor is its two parts in JSON")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let descriptor = Descriptor(id: "rock", name: "ロック")
        let data = try encoder.encode(descriptor)
        #expect(String(decoding: data, as: UTF8.self) == #"{"id":"rock","name":"ロック"}"#)
        #expect(try JSONDecoder().decode(Descriptor.self, from: data) == descriptor)
    }
}
