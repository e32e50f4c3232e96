import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Signatures and catalogs of another writer")
struct OtherWriterTests {
    private static func data(_ name: String) throws -> Data {
        try Data(contentsOf: packageFolder.appendingPathComponent("Tests/CatalogVectors/\(name)"))
    }

    @Test(
        "A signature that was written elsewhere matches in a catalog from there and from here",
        .requirements("R-CC-010")
    )
    func matched() throws {
        let query = try Signature(data: Self.data("query.earsig"))
        let reference = try Signature(data: Self.data("reference.earsig"))
        #expect(query.duration.seconds == 6 && reference.duration.seconds == 30)
        let catalog = try Catalog(data: Self.data("songs.earcat"))
        #expect(catalog.referenceIDs == ["song-1", "song-2", "a-3"])
        var own = Catalog()
        try own.add(reference, representing: [], id: "song-2")
        for catalog in [catalog, own] {
            let match = try #require(try catalog.match(query))
            #expect(match.references.map(\.id) == ["song-2"])
            #expect(abs((match.references.first?.best.offset.seconds ?? 0) - 12) < 0.05)
        }
        #expect(try catalog.match(query)?.references.first?.items.first?.title == "Größe")
    }

    @Test("What is read from another writer's files is written again equal in every byte", .requirements("R-CC-010"))
    func equalBytes() throws {
        for name in ["query.earsig", "reference.earsig"] {
            #expect(try Signature(data: Self.data(name)).data == Self.data(name))
        }
        let data = try Self.data("songs.earcat")
        let catalog = try Catalog(data: data)
        #expect(try catalog.reference("song-2")?.signature == Signature(data: Self.data("reference.earsig")))
        // Laid out anew, not copied: references, landmarks and the whole index.
        var anew = Catalog()
        for id in catalog.referenceIDs {
            let reference = try #require(try catalog.reference(id))
            try anew.add(reference.signature, representing: reference.items, id: id)
        }
        #expect(try anew.data() == data)
    }
}
