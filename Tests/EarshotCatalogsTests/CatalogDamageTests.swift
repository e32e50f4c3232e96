import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Damaged catalogs")
struct CatalogDamageTests {
    private static let query = Signature.random(seed: 1, seconds: 2, density: 16)
    private static let bytes = Result { () throws -> [UInt8] in
        var catalog = Catalog()
        let item = try MediaItem(properties: [.title: "T", .genres: ["a", "b"], "x": ["y": 1.5]])
        try catalog.add(query, representing: [item], id: "one")
        try catalog.add(.random(seed: 2, seconds: 1, density: 16), representing: [], id: "two")
        return [UInt8](try catalog.data())
    }

    /// Where the header ends, and the sections.
    private func sections(_ bytes: [UInt8]) -> (tableEnd: Int, spans: [Range<Int>]) {
        func number(_ at: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(bytes[at + $1]) << ($1 * 8) }
        }
        let count = number(44, 4)
        let spans = (0..<count).map { index in
            let at = 64 + index * 24
            return number(at + 8, 8)..<number(at + 8, 8) + number(at + 16, 8)
        }
        return (64 + count * 24, spans)
    }

    /// The bytes with the length and the header's checksum put right, where there is a header to speak of.
    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard bytes.count >= 72 else { return bytes }
        let length = UInt64(bytes.count)
        for index in 0..<8 { bytes[24 + index] = UInt8(truncatingIfNeeded: length >> (index * 8)) }
        let count = Int(bytes[44]) | Int(bytes[45]) << 8 | Int(bytes[46]) << 16 | Int(bytes[47]) << 24
        let end = 64 + count * 24
        guard end + 4 <= bytes.count else { return bytes }
        let checksum = CRC32C.checksum(Array(bytes[..<end]))
        for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> (index * 8)) }
        return bytes
    }

    private func codeOfOpening(_ bytes: [UInt8]) -> EarshotError.Code? {
        code { _ = try Catalog(data: Data(bytes)) }
    }

    /// Does everything that can be done with a catalog; a trap ends the test, an error must say what it is.
    private func exercise(_ bytes: [UInt8], rewriting: Bool) throws -> Bool {
        func isExpected(_ body: () throws -> Void) -> Bool { [nil, .catalogInvalid].contains(code(of: body)) }
        let catalog: Catalog
        do {
            catalog = try Catalog(data: Data(bytes))
        } catch {
            return error.code == .catalogInvalid
        }
        var parameters = MatchingParameters()
        parameters.escalates = false
        catalog.referenceIDs.forEach { _ = catalog.contains($0) }
        var fine = isExpected { try catalog.forEachReference { _ in } }
        fine = fine && isExpected { _ = try catalog.reference("two") }
        fine = fine && isExpected { try catalog.verify() }
        let search = code { _ = try catalog.search(Self.query, parameters: parameters) }
        fine = fine && [nil, .catalogInvalid, .signatureDurationInvalid].contains(search)
        if rewriting {
            fine = fine && isExpected { _ = try catalog.data() }
            var changed = catalog
            try changed.add(
                Songs.drawn(3, seconds: 1),
                representing: [],
                id: ReferenceID("new \(catalog.referenceIDs.count)")
            )
            fine = fine && isExpected { _ = try changed.data() }
            fine = fine && isExpected { _ = try changed.add(catalog) }
        }
        return fine
    }

    @Test("Cut short anywhere, it is refused")
    func truncated() throws {
        let bytes = try Self.bytes.get()
        let (tableEnd, spans) = sections(bytes)
        let boundaries =
            [0, 1, 7, 8, 11, 12, 64, tableEnd, tableEnd + 8] + spans.flatMap { [$0.lowerBound, $0.upperBound] }
        for length in boundaries where length < bytes.count {
            #expect(codeOfOpening(Array(bytes.prefix(length))) == .catalogInvalid)
        }
        let content = spans.map(\.upperBound).max() ?? 0
        property("truncated", rounds: 300) { generator in
            let length = Int.random(in: 0..<bytes.count, using: &generator)
            let cut = Array(bytes.prefix(length))
            guard codeOfOpening(cut) == .catalogInvalid else { return false }
            // Also when its header says that this is its length; unless only zeros behind the last section are gone.
            return length >= content || codeOfOpening(sealed(cut)) == .catalogInvalid
        }
        #expect(codeOfOpening(bytes + [0]) == .catalogInvalid)
        #expect(codeOfOpening(bytes) == nil)
    }

    @Test("Two thousand mutations: refused, or everything still runs")
    func mutated() throws {
        let bytes = try Self.bytes.get()
        property("mutated", rounds: 2_000) { generator in
            try exercise(generator.mutated(bytes), rewriting: Int.random(in: 0..<200, using: &generator) == 0)
        }
    }

    @Test("The same with a header whose checksum fits")
    func mutatedAndSealed() throws {
        let bytes = try Self.bytes.get()
        property("mutated and sealed", rounds: 2_000) { generator in
            var changed = bytes
            // Mostly header and records, where numbers lead to other places.
            let area = Bool.random(using: &generator) ? 0..<400 : 0..<bytes.count
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: area, using: &generator)
                changed[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            }
            if Int.random(in: 0..<4, using: &generator) == 0 { changed = generator.mutated(changed) }
            return try exercise(sealed(changed), rewriting: Int.random(in: 0..<100, using: &generator) == 0)
        }
    }

    @Test("Verification finds every changed byte that is not padding")
    func everyByte() throws {
        let bytes = try Self.bytes.get()
        let (tableEnd, spans) = sections(bytes)
        var padding = Set(tableEnd + 4..<tableEnd + 8)
        for index in spans.indices {
            let next = index + 1 < spans.count ? spans[index + 1].lowerBound : bytes.count
            padding.formUnion(spans[index].upperBound..<next)
        }
        property("every byte", rounds: 1) { generator in
            bytes.indices.allSatisfy { index in
                var changed = bytes
                changed[index] ^= UInt8.random(in: 1...255, using: &generator)
                let found = code { try Catalog(data: Data(changed)).verify() }
                return found == (padding.contains(index) ? nil : .catalogInvalid)
            }
        }
        #expect(padding.count < 64)
    }

    @Test("A newer version is refused by its number")
    func newer() throws {
        var bytes = try Self.bytes.get()
        bytes[8] = 3
        bytes[10] = 1
        let failure = #expect(throws: EarshotError.self) { try Catalog(data: Data(bytes)) }
        #expect(failure?.code == .catalogInvalid)
        #expect(failure?.message.contains("version 3.1") == true)
    }

    @Test("So are a configuration and an index that are not known", arguments: [12, 16])
    func configuration(offset: Int) throws {
        var bytes = try Self.bytes.get()
        bytes[offset] = 77
        let failure = #expect(throws: EarshotError.self) { try Catalog(data: Data(sealed(bytes))) }
        #expect(failure?.code == .catalogInvalid)
        #expect(failure?.message.contains("77") == true)
    }

    @Test("A catalog with the index of an earlier version says so, and what to do", arguments: [0, 1])
    func earlier(scheme: UInt8) throws {
        var bytes = try Self.bytes.get()
        #expect(bytes[16] == UInt8(LandmarkKey.scheme))
        bytes[16] = scheme
        let failure = #expect(throws: EarshotError.self) { try Catalog(data: Data(sealed(bytes))) }
        #expect(failure?.code == .catalogInvalid)
        #expect(failure?.message == "The catalog was made by an earlier version of this program: make it again.")
    }

    @Test("A higher minor version and a section that is not known are read past")
    func minor() throws {
        let bytes = try Self.bytes.get()
        var grown = bytes
        grown[10] = 9
        // One more entry in the table, for what lies at the end of the file: everything moves by 24 bytes.
        grown[44] += 1
        let (tableEnd, spans) = sections(bytes)
        for index in spans.indices {
            let at = 64 + index * 24 + 8
            let moved = spans[index].lowerBound + 24
            for place in 0..<8 { grown[at + place] = UInt8(truncatingIfNeeded: moved >> (place * 8)) }
        }
        let end = bytes.count + 24
        let entry = [99, 0, 0, 0, 0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: end >> ($0 * 8)) }
        grown.insert(contentsOf: entry + [8, 0, 0, 0, 0, 0, 0, 0], at: tableEnd)
        let catalog = try Catalog(data: Data(sealed(grown + [1, 2, 3, 4, 5, 6, 7, 8])))
        #expect(catalog.referenceIDs == ["one", "two"])
        #expect(try catalog.reference("one")?.items.first?.title == "T")
    }

    @Test("A damaged file and a wrong address have codes of their own", .requirements("R-CC-037"))
    func files() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("c.earcat")
            let missing = #expect(throws: EarshotError.self) { try Catalog(contentsOf: url) }
            #expect(missing?.code == .catalogAddressInvalid)
            #expect(missing?.message.contains(url.path) == true)
            #expect(code { _ = try Catalog(contentsOf: folder) } == .catalogAddressInvalid)
            try Data().write(to: url)
            #expect(code { _ = try Catalog(contentsOf: url) } == .catalogInvalid)
            try Data("not a catalog at all".utf8).write(to: url)
            let wrong = #expect(throws: EarshotError.self) { try Catalog(contentsOf: url) }
            #expect(wrong?.code == .catalogInvalid)
            #expect(wrong?.message.contains(url.path) == true)
            var bytes = try Self.bytes.get()
            bytes[70] ^= 1
            try Data(bytes).write(to: url)
            #expect(code { _ = try Catalog(contentsOf: url) } == .catalogInvalid)
        }
    }
}
