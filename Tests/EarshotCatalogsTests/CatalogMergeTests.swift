import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Adding one catalog to another")
struct CatalogMergeTests {
    private func catalog(_ entries: [(ReferenceID, UInt64)]) throws -> Catalog {
        var catalog = Catalog()
        for (id, seed) in entries {
            let item = try MediaItem(properties: [.episode: .integer(Int64(seed))])
            try catalog.add(Songs.drawn(seed, seconds: 6), representing: [item], id: id)
        }
        return catalog
    }

    @Test("Added to itself it adds none and skips all", .requirements("R-CC-035"), arguments: [false, true])
    func itself(fromFile: Bool) throws {
        var own = try catalog([("a", 1), ("b", 2), ("c", 3)])
        if fromFile { own = try Catalog(data: own.data()) }
        let before = try own.data()
        let result = try own.add(own)
        #expect(result.added == 0)
        #expect(result.skipped == 3)
        #expect(try own.data() == before)
    }

    @Test("Both contents match afterwards", .requirements("R-CC-034"))
    func both() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("other.earcat")
            try catalog([("c", 3), ("d", 4)]).write(to: url)
            var own = try catalog([("a", 1), ("b", 2), ("c", 3)])
            let result = try own.add(contentsOf: url)
            #expect(result.added == 1)
            #expect(result.skipped == 1)
            #expect(own.referenceIDs == ["a", "b", "c", "d"])
            for (id, seed) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] as [(ReferenceID, UInt64)] {
                let query = Songs.part(of: Songs.drawn(seed, seconds: 6), from: 1, seconds: 4)
                #expect(try own.match(query)?.references.map(\.id) == [id])
            }
        }
    }

    @Test("Equal content under another name is skipped, other content under the same name is kept beside it")
    func names() throws {
        var own = try catalog([("a", 1), ("b", 2)])
        let result = try own.add(catalog([("x", 1), ("b", 5), ("b-2", 6)]))
        #expect(result.added == 2)
        #expect(result.skipped == 1)
        #expect(own.referenceIDs == ["a", "b", "b-2", "b-2-2"])
        #expect(try own.reference("b")?.items.first?[.episode]?.integer == 2)
        #expect(try own.reference("b-2")?.items.first?[.episode]?.integer == 5)
        #expect(try own.reference("b-2-2")?.items.first?[.episode]?.integer == 6)
    }

    @Test("What was removed or replaced in between is added again, and what was added is skipped")
    func changesBetween() throws {
        for fromFile in [false, true] {
            let other = try catalog([("a", 1), ("b", 2), ("c", 3)])
            var own = Catalog()
            try own.add(other)
            if fromFile { own = try Catalog(data: own.data()) }
            #expect(try own.add(other).skipped == 3)
            try own.remove("b")
            #expect(try own.add(other).added == 1)
            try own.replace("c", with: Songs.drawn(7, seconds: 6), representing: [])
            let result = try own.add(other)
            #expect(result.added == 1)
            #expect(result.skipped == 2)
            #expect(own.referenceIDs == ["a", "b", "c", "c-2"])
            // A copy does not see what is added to the other.
            var copy = own
            try copy.add(Songs.drawn(8, seconds: 6), representing: [])
            #expect(try own.add(copy).added == 1)
        }
    }

    @Test("Many small catalogs become what one catalog of all is")
    func many() throws {
        let numbers = (0..<60).map { (ReferenceID("\($0)"), UInt64($0)) }
        var merged = Catalog()
        for start in stride(from: 0, to: 60, by: 3) {
            let part = try catalog(Array(numbers[start..<start + 3]))
            try merged.add(part)
            // A match in between lays out what there is.
            if start % 9 == 0 { _ = try merged.match(Songs.part(of: Songs.drawn(1, seconds: 6), from: 1, seconds: 4)) }
        }
        #expect(try merged.data() == catalog(numbers).data())
    }

    @Test("The same signature with other items is another reference")
    func items() throws {
        var own = try catalog([("a", 1)])
        var other = Catalog()
        try other.add(Songs.drawn(1, seconds: 6), representing: [], id: "plain")
        #expect(try own.add(other).added == 1)
        #expect(own.referenceIDs == ["a", "plain"])
    }

    @Test("An addition that fails changes nothing", .requirements("R-CC-036"))
    func failure() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("other.earcat")
            let whole = try catalog([("c", 3), ("d", 4)]).data()
            var own = try catalog([("a", 1), ("b", 2)])
            let before = try own.data()
            for length in [0, 7, 100, whole.count / 2, whole.count - 1] {
                try whole.prefix(length).write(to: url)
                #expect(code { try own.add(contentsOf: url) } == .catalogInvalid)
            }
            // Damage inside, which opening alone would not see.
            var damaged = [UInt8](whole)
            damaged[whole.count / 2] ^= 0x10
            try Data(damaged).write(to: url)
            #expect(code { try own.add(contentsOf: url) } == .catalogInvalid)
            #expect(code { try own.add(contentsOf: folder.appendingPathComponent("none")) } == .catalogAddressInvalid)
            #expect(own.count == 2)
            #expect(try own.data() == before)
        }
    }
}
