import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("Catalogs as files")
struct CatalogFileTests {
    private static func small() throws -> Catalog {
        var catalog = Catalog()
        let item = try MediaItem(properties: [.title: "Größe", .episode: 3])
        try catalog.add(signature(step: 53, count: 16), representing: [item], id: "b")
        try catalog.add(signature(step: 71, count: 7), representing: [], id: "a")
        return catalog
    }

    /// Landmarks at even distances, without any generator whose course might change one day.
    private static func signature(step: UInt32, count: UInt32) -> Signature {
        Signature(
            configuration: .standard,
            duration: MediaTime(value: Int64(step * count), timescale: 500),
            landmarks: (0..<count).map {
                Landmark(time: $0 * step, frequency: UInt16($0 * 97 % 480 + step), tier: UInt8($0 % 4))
            }
        )
    }

    @Test("A file of version 1.0 is written the same for ever")
    func golden() throws {
        let bytes = [UInt8](try Self.small().data())
        #expect(bytes.count == 680)
        #expect(CRC32C.checksum(bytes) == 0xF71B_AA0A)
        // The header, field by field, as the format page has it.
        #expect(Array(bytes[0..<8]) == Array("EARSHCAT".utf8))
        #expect(Array(bytes[8..<12]) == [1, 0, 0, 0])
        #expect(Array(bytes[12..<24]) == [1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0])
        #expect(Array(bytes[36..<48]) == [0xE8, 3, 0, 0, 0x98, 0x3A, 0, 0, 8, 0, 0, 0])
    }

    @Test("Equal content gives equal bytes, and opening and writing changes none", .requirements("R-CC-040"))
    func deterministic() throws {
        let first = try Self.small().data()
        #expect(try first == Self.small().data())
        let opened = try Catalog(data: first)
        #expect(try opened.data() == first)
        // Not the copy of the bytes either: laid out anew they are the same.
        var touched = opened
        try touched.add(Songs.drawn(1), representing: [], id: "more")
        try touched.remove("more")
        #expect(try touched.data() == first)
    }

    @Test("Built at once or bit by bit with matches in between, the bytes are the same")
    func incremental() throws {
        let query = Songs.part(of: Songs.drawn(60, seconds: 4), from: 0, seconds: 3)
        var (whole, grown) = (Catalog(), Catalog())
        for number in 0..<7 {
            let signature = Songs.drawn(60 + UInt64(number), seconds: 4)
            let id = ReferenceID("r\(6 - number)")
            try whole.add(signature, representing: [MediaItem()], id: id)
            try grown.add(signature, representing: [MediaItem()], id: id)
            if number != 3 { #expect(try grown.match(query)?.references.map(\.id) == ["r6"]) }
        }
        #expect(try grown.data() == whole.data())
        #expect(grown.referenceIDs == whole.referenceIDs)
        try whole.remove("r3")
        try grown.remove("r3")
        #expect(try grown.data() == whole.data())
    }

    @Test("Every kind of value comes through a file unchanged", .requirements("R-CC-020"))
    func values() throws {
        try withTemporaryFolder { folder in
            let item = try MediaItem(properties: [
                "text": "a\u{0}é漢🎵", "integer": .integer(.min), "real": 0.1, "yes": true, "no": false,
                "date": .date(Date(timeIntervalSinceReferenceDate: 123_456_789.125)), "data": .data(Data([0, 255, 1])),
                "array": [1, "b", [true, []]], "dictionary": ["a": ["b": 1.5], "": ""],
            ])
            var catalog = Catalog()
            try catalog.add(Songs.drawn(1, seconds: 2), representing: [item, MediaItem(), item], id: "r")
            let url = try catalog.write(to: folder.appendingPathComponent("c.earcat"))
            #expect(try Catalog(contentsOf: url).reference("r")?.items == [item, MediaItem(), item])
        }
    }

    @Test("An address survives, and is text in the file", .requirements("R-CC-025"))
    func addresses() throws {
        let address = "https://example.org/a%20b?c=d#e"
        let url = try #require(URL(string: address))
        var catalog = Catalog()
        try catalog.add(
            Songs.drawn(1, seconds: 2),
            representing: [try MediaItem(propertyList: ["webURL": url, "artworkURL": url])],
            id: "r"
        )
        let data = try catalog.data()
        let item = try #require(try Catalog(data: data).reference("r")?.items.first)
        #expect(item.webURL == url)
        #expect(item.artworkURL == url)
        #expect(item[.webURL] == .string(address))
        #expect(data.range(of: Data([1, UInt8(address.utf8.count)] + address.utf8)) != nil)
    }

    @Test("A loaded catalog gives the same matches", .requirements("R-CC-032"))
    func sameMatches() throws {
        try withTemporaryFolder { folder in
            let catalog = try Songs.catalog.get()
            let url = try catalog.write(to: folder.appendingPathComponent("c.earcat"))
            let query = try Songs.clean.get()
            let expected = try catalog.match(query)
            #expect(expected?.references.first?.id == "second")
            #expect(try Catalog(contentsOf: url).match(query) == expected)
            // The file is whole in itself: elsewhere it is the same.
            let copy = folder.appendingPathComponent("copy.bin")
            try FileManager.default.moveItem(at: url, to: copy)
            #expect(try Catalog(contentsOf: copy).match(query) == expected)
        }
    }

    @Test("Saving refuses to overwrite unless told so", .requirements("R-CC-039"))
    func overwriting() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("c.earcat")
            try Self.small().write(to: url)
            let before = try Data(contentsOf: url)
            var other = try Self.small()
            try other.remove("a")
            #expect(code { try other.write(to: url) } == .destinationExists)
            #expect(try Data(contentsOf: url) == before)
            try other.write(to: url, replacing: true)
            #expect(try Catalog(contentsOf: url).referenceIDs == ["b"])
            #expect(code { try other.write(to: folder.appendingPathComponent("no/c")) } == .writeFailed)
        }
    }

    @Test("A catalog may be written over the file that it was opened from")
    func overItself() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("c.earcat")
            try Self.small().write(to: url)
            var opened = try Catalog(contentsOf: url)
            try opened.remove("b")
            try opened.write(to: url, replacing: true)
            // What was opened still reads the old file.
            #expect(try opened.reference("a") != nil)
            #expect(try Catalog(contentsOf: url).referenceIDs == ["a"])
        }
    }

    @Test("Saved to a folder it has a name of its own")
    func folder() throws {
        try withTemporaryFolder { folder in
            let url = try Self.small().write(to: folder)
            #expect(url.lastPathComponent == "Catalog.earcat")
            #expect(try Catalog(contentsOf: url).count == 2)
            #expect(code { try Self.small().write(to: folder) } == .destinationExists)
            #expect(try Self.small().write(to: folder, replacing: true) == url)
        }
    }

    @Test("The limits of queries travel with the catalog")
    func limits() throws {
        let limits = QueryLimits(minimum: MediaTime(seconds: 2.5), maximum: MediaTime(seconds: 40))
        var catalog = Catalog(queryLimits: limits)
        try catalog.add(Songs.drawn(1), representing: [])
        var opened = try Catalog(data: catalog.data())
        #expect(opened.queryLimits == limits)
        opened.queryLimits = .standard
        #expect(try Catalog(data: opened.data()).queryLimits == .standard)
        let odd = QueryLimits(minimum: MediaTime(value: -1, timescale: 1), maximum: .positiveInfinity)
        #expect(odd.minimum == .zero)
        #expect(odd.maximum >= odd.minimum)
    }
}
