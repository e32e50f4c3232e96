import EarshotCore
@testable import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Built-in taxonomies")
struct BuiltInTaxonomiesTests {
    private let taxonomies: Taxonomies
    private static let languages = ["eng", "jpn", "deu", "spa", "fra"]

    init() throws {
        taxonomies = try Taxonomies.readBuiltIn()
    }

    @Test("All kinds are there, and genres of at least three countries")
    func kinds() {
        #expect(Taxonomies.builtIn == taxonomies)
        #expect(taxonomies.all.filter(\.countries.isEmpty).map(\.kind) == DescriptorKind.allCases)
        #expect(taxonomies.countries == ["DEU", "JPN", "USA"])
        #expect(Set(taxonomies.languages) == Set(Self.languages))
    }

    @Test("What is compiled in equals the files")
    func embedded() throws {
        let folder = packageFolder.appendingPathComponent("Sources/EarshotMusic/Taxonomies/Data")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".tsv") }
        #expect(names.sorted() == EmbeddedTaxonomies.files.map(\.name).sorted())
        for (name, text) in EmbeddedTaxonomies.files {
            let file = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(file == text, "\(name): run scripts/data/embed-taxonomies")
        }
    }

    @Test("No identifier of a release is gone, and every one is in the list", arguments: DescriptorKind.allCases)
    func identifiers(kind: DescriptorKind) throws {
        let taxonomy = try #require(taxonomies.taxonomy(kind))
        #expect(taxonomy.nodes.map(\.id).sorted() == ReleasedIdentifiers.ids(kind).sorted())
        #expect(Set(taxonomy.nodes.map(\.id)).count == taxonomy.nodes.count)
    }

    @Test("The same of genres of countries", arguments: ["DEU", "JPN", "USA"])
    func identifiers(country: String) throws {
        let taxonomy = try #require(taxonomies.taxonomy(.genre, country: country))
        #expect(taxonomy.countries == [country])
        #expect(taxonomy.nodes.map(\.id).sorted() == ReleasedIdentifiers.ids(ofGenresIn: country).sorted())
    }

    @Test("Every node has a name in five languages")
    func names() {
        for taxonomy in taxonomies.all {
            for node in taxonomy.nodes {
                #expect(Set(node.names.keys).isSuperset(of: Self.languages), "\(taxonomy.kind) \(node.id)")
            }
        }
    }

    @Test("Names that stand beside each other differ", arguments: languages)
    func distinct(language: String) {
        for taxonomy in taxonomies.all {
            for parent in [nil] + taxonomy.nodes.map(\.id) {
                let names = taxonomy.children(of: parent).map { $0.name(in: language) }
                #expect(Set(names).count == names.count, "\(taxonomy.kind) \(parent ?? "top") \(language): \(names)")
            }
        }
    }

    @Test("Hierarchies are as large and as deep as an app can show")
    func sizes() throws {
        for kind in DescriptorKind.allCases {
            let taxonomy = try #require(taxonomies.taxonomy(kind))
            #expect((5...40).contains(taxonomy.children(of: nil).count), "\(kind)")
            #expect((2...3).contains(taxonomy.nodes.map { taxonomy.path(to: $0.id).count }.max() ?? 0), "\(kind)")
        }
        #expect(try #require(taxonomies.taxonomy(.genre)).nodes.count >= 250)
        #expect(try #require(taxonomies.taxonomy(.mood)).nodes.count >= 60)
    }

    @Test("Origins have every country of ISO 3166-1, each under a region")
    func countries() throws {
        let origins = try #require(taxonomies.taxonomy(.origin))
        #expect(ISOCodes.countries.count == 249)
        for code in ISOCodes.countries {
            #expect(origins[code]?.parent != nil, "\(code)")
        }
        #expect(origins.path(to: "AUT").map(\.id) == ["europe", "western-europe", "AUT"])
        #expect(origins.path(to: "AUT").map { $0.name(in: "jpn") } == ["ヨーロッパ", "西ヨーロッパ", "オーストリア"])
    }

    @Test("In every country every genre has a place in its own list", arguments: ["DEU", "JPN", "USA"])
    func coverage(country: String) throws {
        let own = try #require(taxonomies.taxonomy(.genre, country: country))
        for node in try #require(taxonomies.taxonomy(.genre)).nodes {
            let list = taxonomies.descriptors(.genre, for: node.id, level: .extended, country: country)
            #expect(own[try #require(list.first).id]?.parent == nil, "\(node.id)")
            #expect(own[try #require(list.first).id] != nil, "\(node.id)")
        }
    }

    @Test("Tempos cover every number of beats, and eras every year, without overlap")
    func ranges() throws {
        for (kind, numbers) in [(DescriptorKind.tempo, 1...400), (.era, 1...2029)] {
            let taxonomy = try #require(taxonomies.taxonomy(kind))
            for number in numbers {
                let holding = taxonomy.nodes.filter { $0.range?.contains(Double(number)) == true }
                let deepest = try #require(taxonomy.node(containing: Double(number)))
                #expect(holding.map(\.id) == taxonomy.path(to: deepest.id).map(\.id), "\(kind) \(number)")
            }
        }
        #expect(taxonomies.taxonomy(.tempo)?.node(containing: 128)?.id == "fast-120s")
        #expect(taxonomies.taxonomy(.era)?.node(containing: 1994)?.id == "1990s-mid")
    }
}
