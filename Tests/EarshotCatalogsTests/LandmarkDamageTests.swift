import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Damaged landmarks of catalogs")
struct LandmarkDamageTests {
    private static let songs = (1...3).map { Songs.drawn(UInt64($0), seconds: 6).thinned(to: Reference.density) }
    private static let image = Result { try CatalogImage(of: songs) }

    /// Reads every reference whole and windows of each; every answer is allowed that says nothing of other places.
    private func exercise(_ image: CatalogImage, _ generator: inout SeededGenerator) throws -> Bool {
        let segment = try image.segment
        for number in 0..<segment.referenceCount {
            if let reference = segment.reference(number) {
                guard reference.signature.landmarks == reference.signature.landmarks.sorted() else { return false }
            }
            let steps = segment.records[number].frameCount * Landmark.stepsPerFrame
            for _ in 0..<6 {
                let low = Int.random(in: -600...steps + 600, using: &generator)
                let window = ReferenceWindow(segment, reference: number, steps: low..<low + 1_500)
                let blocks = segment.records[number].directoryCount
                guard window.times.count == window.frequencies.count, window.times.count == window.tiers.count,
                    window.times.allSatisfy({ (0..<blocks * 512).contains(Int($0)) }),
                    window.tiers.allSatisfy({ $0 < DamageModel.referenceTiers })
                else { return false }
            }
        }
        return true
    }

    @Test("A window has the landmarks of the blocks that it touches")
    func windows() throws {
        let segment = try Self.image.get().segment
        property("windows", rounds: 200) { generator in
            let number = Int.random(in: 0..<3, using: &generator)
            let low = Int.random(in: -900...3_500, using: &generator)
            let high = low + Int.random(in: 0...3_000, using: &generator)
            let window = ReferenceWindow(segment, reference: number, steps: low..<high)
            let touched = max(0, low) / 512...max(max(0, low), max(0, high)) / 512
            let expected = Self.songs[number].landmarks.filter { touched.contains(Int($0.time) / 512) }
            return window.times.map(Int.init) == expected.map { Int($0.time) }
                && window.frequencies.map(Int.init) == expected.map { Int($0.frequency) }
                && window.tiers == expected.map(\.tier)
        }
    }

    @Test("Directories and blocks may hold anything")
    func changed() throws {
        let whole = try Self.image.get()
        property("damaged landmarks", rounds: 300) { generator in
            var image = whole
            var content = image.sections[3] ?? []
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: content.indices, using: &generator)
                let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                let end = min(content.count, place + Int.random(in: 1...9, using: &generator))
                for index in place..<end { content[index] = values.randomElement(using: &generator) ?? 0 }
            }
            image.sections[3] = content
            return try exercise(image, &generator)
        }
        property("noise for landmarks", rounds: 30) { generator in
            var image = whole
            let kinds: [ClosedRange<UInt8>] = [0...0, 1...1, 48...48, 255...255, 0...255]
            let kind = kinds.randomElement(using: &generator) ?? 0...255
            image.sections[3] = (image.sections[3] ?? []).map { _ in UInt8.random(in: kind, using: &generator) }
            return try exercise(image, &generator)
        }
    }

    @Test("A record may point anywhere within the section, and nowhere else")
    func records() throws {
        let whole = try Self.image.get()
        let count = whole.sections[3]?.count ?? 0
        property("records", rounds: 200) { generator in
            var image = whole
            var records = image.numbers(1)
            let at = Int.random(in: 0..<3, using: &generator) * 16
            let size = Int.random(in: 0...count, using: &generator)
            let offset = Int.random(in: 0...count, using: &generator)
            let directory = Int.random(in: 0...count, using: &generator)
            (records[at + 5], records[at + 6], records[at + 10]) = (directory, offset, size)
            image.setNumbers(records, section: 1)
            guard directory <= size, offset + size <= count - LandmarkBlocks.padding else {
                return code { _ = try image.segment } == .catalogInvalid
            }
            return try exercise(image, &generator)
        }
    }

    @Test("A section without the zeros at its end is refused")
    func padding() throws {
        for missing in 1...8 {
            var image = try Self.image.get()
            image.sections[3] = image.sections[3]?.dropLast(missing)
            #expect(code { _ = try image.segment } == .catalogInvalid)
            var empty = try CatalogImage(of: [])
            #expect(empty.sections[3] == [UInt8](repeating: 0, count: 8))
            empty.sections[3] = empty.sections[3]?.dropLast(missing)
            #expect(code { _ = try empty.segment } == .catalogInvalid)
        }
    }

    @Test("Verification finds a reference whose landmarks have another form, though every checksum fits")
    func otherForm() throws {
        var image = try Self.image.get()
        let segment = try image.segment
        let record = segment.records[0]
        let first = Int(image.sections[3]?[record.landmarkOffset] ?? 0)
        // The bits behind the last field of the first block.
        let end = record.landmarkOffset + record.directoryCount + LandmarkBlocks.sizes[first]
        var logarithm = 0
        while 1 << logarithm < first { logarithm += 1 }
        let bits = first + 1 << logarithm - 1 + first * (9 - logarithm) + first * 14
        try #require(bits % 8 != 0)
        image.sections[3]?[end - 1] |= 0x80
        let damaged = try image.segment
        #expect(damaged.reference(0) == nil)
        #expect(damaged.reference(1) != nil)
        #expect(code { try damaged.verify(name: "test") } == .catalogInvalid)
        try segment.verify(name: "test")
    }
}
