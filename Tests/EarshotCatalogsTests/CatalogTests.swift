import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@Suite("What is in a catalog")
struct CatalogTests {
    private func three() throws -> Catalog {
        var catalog = Catalog()
        for (number, id) in Songs.ids.enumerated() {
            let items = [
                try MediaItem(properties: [.title: .string("\(id)"), .episode: .integer(Int64(number))]), MediaItem(),
            ]
            try catalog.add(Songs.drawn(UInt64(number)), representing: items, id: id)
        }
        return catalog
    }

    @Test("Three references are listed with their items", .requirements("R-CC-029", "R-CC-019"))
    func listing() throws {
        let catalog = try three()
        #expect(catalog.count == 3)
        #expect(catalog.referenceIDs == Songs.ids)
        var seen: [ReferenceID] = []
        try catalog.forEachReference { reference in
            seen.append(reference.id)
            #expect(reference.items.count == 2)
            #expect(reference.items[0].title == reference.id.rawValue)
            #expect(reference.items[1] == MediaItem())
            #expect(reference.signature.duration == MediaTime(value: 12, timescale: 1))
        }
        #expect(seen == Songs.ids)
        #expect(Catalog().isEmpty)
        #expect(Catalog().referenceIDs.isEmpty)
    }

    @Test("A reference is got by its name, before and after a file", arguments: [false, true])
    func get(fromFile: Bool) throws {
        var catalog = try three()
        if fromFile { catalog = try Catalog(data: catalog.data()) }
        let reference = try #require(try catalog.reference("second"))
        #expect(reference.items[0][.episode]?.integer == 1)
        #expect(reference.signature == Songs.drawn(1).thinned(to: Reference.density))
        #expect(catalog.contains("second"))
        #expect(!catalog.contains("fourth"))
        #expect(try catalog.reference("fourth") == nil)
    }

    @Test("An empty signature is refused and changes nothing", .requirements("R-CC-007"))
    func silence() throws {
        for samples in [[Float](repeating: 0, count: 32_000), []] {
            var catalog = try three()
            let silent = try Signature.of(samples)
            #expect(code { try catalog.add(silent, representing: []) } == .signatureInvalid)
            #expect(code { try catalog.replace("first", with: silent, representing: []) } == .signatureInvalid)
            #expect(catalog.referenceIDs == Songs.ids)
        }
    }

    @Test("A name that is taken is refused and changes nothing", arguments: [false, true])
    func taken(fromFile: Bool) throws {
        var catalog = try three()
        if fromFile { catalog = try Catalog(data: catalog.data()) }
        let before = try catalog.data()
        #expect(code { try catalog.add(Songs.drawn(9), representing: [], id: "second") } == .referenceExists)
        #expect(code { try catalog.add(Songs.drawn(9), representing: [], id: "") } == .referenceExists)
        let long = ReferenceID(String(repeating: "x", count: 513))
        #expect(code { try catalog.add(Songs.drawn(9), representing: [], id: long) } == .referenceExists)
        let endless = Signature(
            configuration: .standard,
            duration: MediaTime(value: 360_001, timescale: 1),
            landmarks: Songs.drawn(9).landmarks
        )
        #expect(code { try catalog.add(endless, representing: []) } == .signatureInvalid)
        let many = [MediaItem](repeating: MediaItem(), count: 1_001)
        #expect(code { try catalog.add(Songs.drawn(9), representing: many, id: "many") } == .mediaItemInvalid)
        #expect(try catalog.data() == before)
        try catalog.add(Songs.drawn(9), representing: Array(many.dropLast()), id: "many")
        #expect(try catalog.reference("many")?.items.count == 1_000)
    }

    @Test("Without a name the content gives one, the same each time")
    func names() throws {
        var first = Catalog()
        let id = try first.add(Songs.drawn(4), representing: [])
        let again = try first.add(Songs.drawn(4), representing: [])
        let other = try first.add(Songs.drawn(5), representing: [])
        var second = Catalog()
        #expect(try second.add(Songs.drawn(4), representing: []) == id)
        #expect(id.rawValue.hasPrefix("signature-"))
        #expect(again.rawValue == id.rawValue + "-2")
        #expect(Set([id, again, other]).count == 3)
    }

    @Test("A removed reference is gone, from what was opened and from what was added", arguments: [false, true])
    func remove(fromFile: Bool) throws {
        var catalog = try three()
        if fromFile { catalog = try Catalog(data: catalog.data()) }
        try catalog.remove("second")
        #expect(catalog.referenceIDs == ["first", "third"])
        #expect(catalog.count == 2)
        #expect(!catalog.contains("second"))
        #expect(code { try catalog.remove("second") } == .referenceNotFound)
        #expect(code { try catalog.remove("nothing") } == .referenceNotFound)
        #expect(try Catalog(data: catalog.data()).referenceIDs == ["first", "third"])
        // The name is free again.
        try catalog.add(Songs.drawn(8), representing: [], id: "second")
        #expect(catalog.referenceIDs == ["first", "third", "second"])
        for id in catalog.referenceIDs { try catalog.remove(id) }
        #expect(catalog.isEmpty)
        #expect(try Catalog(data: catalog.data()).isEmpty)
    }

    @Test("A replaced reference has the new signature and items, and stands last")
    func replace() throws {
        var catalog = try three()
        let item = try MediaItem(properties: [.title: "new"])
        try catalog.replace("first", with: Songs.drawn(7), representing: [item])
        #expect(catalog.referenceIDs == ["second", "third", "first"])
        #expect(try catalog.reference("first")?.items == [item])
        #expect(try catalog.reference("first")?.signature == Songs.drawn(7).thinned(to: Reference.density))
        let missing = code { try catalog.replace("fourth", with: Songs.drawn(7), representing: []) }
        #expect(missing == .referenceNotFound)
        #expect(catalog.count == 3)
    }

    @Test("A copy taken before a change does not see it")
    func value() throws {
        var catalog = try three()
        let query = Songs.part(of: Songs.drawn(0), from: 2, seconds: 5)
        // A match builds what the two copies then share.
        #expect(try catalog.match(query) != nil)
        let copy = catalog
        try catalog.remove("first")
        try catalog.add(Songs.drawn(30), representing: [], id: "late")
        #expect(copy.referenceIDs == Songs.ids)
        #expect(try copy.match(query)?.references.first?.id == "first")
        #expect(try catalog.match(query) == nil)
        #expect(try copy.match(Songs.part(of: Songs.drawn(30), from: 2, seconds: 5)) == nil)
        #expect(try catalog.match(Songs.part(of: Songs.drawn(30), from: 2, seconds: 5))?.references.count == 1)
    }
}
