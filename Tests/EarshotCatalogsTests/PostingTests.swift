import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Packed postings")
struct PostingTests {
    /// Catalogs whose timelines are empty, an hour long, and as long as they may be.
    private static let timelines = Result { () throws -> [CatalogImage] in
        let longest = [Signature](repeating: CatalogImage.room(steps: 360_000 * 500), count: 190)
        return try [[], [CatalogImage.room(steps: 3_600 * 500)], longest].map { try CatalogImage(of: $0) }
    }

    /// Postings in order: runs of one key, near keys and far ones, with units in order within a key.
    private func postings(_ count: Int, units: UInt32, _ generator: inout SeededGenerator) -> [Posting] {
        let reaches: [UInt32] = [1, 3, 40, 5_000, 1 << 22, 1 << 29]
        var postings: [Posting] = []
        var key = UInt32.random(in: 0..<1 << 20, using: &generator)
        while postings.count < count {
            let run = Int.random(in: 0..<5, using: &generator) == 0 ? Int.random(in: 2...90, using: &generator) : 1
            let area =
                Bool.random(using: &generator) ? units : min(units, UInt32.random(in: 0...200, using: &generator))
            postings += (0..<run).map { _ in Posting(key: key, unit: UInt32.random(in: 0...area, using: &generator)) }
            let reach = reaches.randomElement(using: &generator) ?? 1
            key = min((1 << 30) - 1, key + UInt32.random(in: 1...reach, using: &generator))
        }
        return Array(postings.prefix(count)).sorted()
    }

    /// Ranges of keys worth asking for: around keys that are there, and any.
    private func ranges(_ postings: [Posting], _ generator: inout SeededGenerator) -> [Range<UInt32>] {
        var ranges: [Range<UInt32>] = [0..<1 << 30, 0..<1, (1 << 30) - 1..<1 << 30]
        for _ in 0..<12 {
            let key = postings.randomElement(using: &generator)?.key ?? 77
            let other = postings.randomElement(using: &generator)?.key ?? 99
            let any = UInt32.random(in: 0..<1 << 30, using: &generator)
            ranges += [key..<key + 1, min(key, other)..<max(key, other) + 1, min(key, other)..<max(key, other)]
            ranges += [min(key, any)..<max(key, any) + 1, (key & ~0x7FF)..<(key | 0x7FF) + 1]
        }
        return ranges
    }

    private func units(_ segment: Segment, _ keys: Range<UInt32>) -> [UInt32] {
        var units: [UInt32] = []
        segment.forEachPosting(of: keys, in: segment.blocks(of: keys)) { units.append($0) }
        return units
    }

    @Test("what is written is read again, for any range of keys")
    func roundTrip() throws {
        let timelines = try Self.timelines.get()
        property("postings", rounds: 60) { generator in
            var image = timelines[Int.random(in: 0..<3, using: &generator)]
            let counts = [0, 1, 2, 31, 32, 33, 63, 64, 65, 300, 700]
            let count = counts.randomElement(using: &generator) ?? 1
            let expected = postings(count, units: UInt32(image.frameCount / 4), &generator)
            try image.index(expected)
            let reading = IndexReading(image)
            guard reading.postings == expected, reading.blockStarts == Array(stride(from: 0, to: count, by: 32)) else {
                return false
            }
            let segment = try image.segment
            return ranges(expected, &generator).allSatisfy { keys in
                units(segment, keys) == expected.filter { keys.contains($0.key) }.map(\.unit)
            }
        }
    }

    @Test("a range leads to the blocks that may hold it, and to no other")
    func blocks() throws {
        let timeline = try Self.timelines.get()[1]
        property("blocks", rounds: 12) { generator in
            var image = timeline
            let expected = postings(Int.random(in: 0...2_000, using: &generator), units: 56_000, &generator)
            try image.index(expected)
            let firsts = image.numbers(5)
            let segment = try image.segment
            return ranges(expected, &generator).allSatisfy { keys in
                // The block before the first that begins in the range may end in it.
                let low = max(0, firsts.count { $0 < keys.lowerBound } - 1)
                let high = firsts.count { $0 < keys.upperBound }
                let blocks = segment.blocks(of: keys)
                return low < high ? blocks == low..<high : blocks.isEmpty
            }
        }
    }

    @Test("one key may fill blocks, and a range may begin and end within blocks")
    func boundaries() throws {
        var image = try Self.timelines.get()[1]
        // Blocks: 32 of one key; its last 8 and 24 of others; a whole one of another key.
        let run = (0..<40).map { Posting(key: 500, unit: UInt32($0 * 3)) }
        let next = (0..<24).map { Posting(key: 501 + UInt32($0), unit: 9) }
        let last = (0..<32).map { Posting(key: 900, unit: UInt32($0)) }
        try image.index(run + next + last)
        let segment = try image.segment
        #expect(image.numbers(5) == [500, 500, 900])
        #expect(units(segment, 500..<501) == run.map(\.unit))
        #expect(units(segment, 500..<502) == run.map(\.unit) + [9])
        #expect(units(segment, 520..<901) == [UInt32](repeating: 9, count: 5) + last.map(\.unit))
        #expect(units(segment, 525..<900).isEmpty)
        #expect(units(segment, 0..<500).isEmpty)
        #expect(units(segment, 901..<1 << 30).isEmpty)
    }

    @Test("a number far beyond the others stands whole behind an escape")
    func escape() throws {
        var image = try Self.timelines.get()[2]
        let far = UInt32(image.frameCount / 4)
        let near = (0..<30).map { Posting(key: 4, unit: UInt32($0)) }
        let expected = near + [Posting(key: 4, unit: far), Posting(key: (1 << 30) - 1, unit: far)]
        try image.index(expected)
        let reading = IndexReading(image)
        #expect(reading.postings == expected)
        // The step to the far unit, and the gap to the last key.
        #expect(reading.escapes == 2)
        #expect(units(try image.segment, 4..<5) == near.map(\.unit) + [far])
        #expect(units(try image.segment, 5..<1 << 30) == [far])
        let gaps = (0..<31).map { Posting(key: $0, unit: 0) } + [Posting(key: 1 << 29, unit: far)]
        try image.index(gaps)
        #expect(IndexReading(image).escapes == 1)
        #expect(IndexReading(image).postings == gaps)
        #expect(units(try image.segment, 30..<1 << 30) == [0, far])
    }

    @Test("taken apart and put together, a file is the same")
    func image() throws {
        let bytes = try CatalogImage(of: [Songs.drawn(1), Songs.drawn(2)]).bytes
        let catalog = try SegmentWriter.image(
            of: [UInt64(1), 2].map { seed in
                let signature = Songs.drawn(seed).thinned(to: Reference.density)
                return Reference(id: ReferenceID("\(seed - 1)"), signature: signature, items: [])
            },
            limits: .standard
        )
        #expect(bytes == catalog)
    }

    @Test("the example of the format page")
    func example() throws {
        let image = try CatalogImage.ofFormatPage()
        #expect(image.postingCount == 4)
        #expect(image.frameCount == 192)
        #expect(image.numbers(5) == [0x1E74_2423])
        #expect(image.numbers(6) == [0, 1])
        #expect(image.numbers(7) == [0, 12])
        let block: [UInt8] = [0x72, 0, 2, 0x40, 0, 0xF0, 0xF7, 0x7C, 0x20, 0, 0, 0x14]
        #expect(image.sections[8] == block + [UInt8](repeating: 0, count: 32))
    }
}
