import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Damaged indexes")
struct IndexDamageTests {
    private static let song = Songs.drawn(1, seconds: 4)
    private static let image = Result { try CatalogImage(of: [song, Songs.drawn(2, seconds: 4), Songs.drawn(3)]) }

    /// Asks for every pair, every key of a query and some ranges; every answer is allowed that is one of some place.
    private func exercise(_ image: CatalogImage, _ generator: inout SeededGenerator) -> Bool {
        let segment: Segment
        do {
            segment = try image.segment
        } catch {
            return (error as? EarshotError)?.code == .catalogInvalid
        }
        let total = segment.blockCount * PostingCode.blockSize
        func count(_ keys: Range<UInt32>) -> Bool {
            let blocks = segment.blocks(of: keys)
            guard blocks.lowerBound >= 0, blocks.upperBound <= segment.blockCount else { return false }
            var units = 0
            segment.forEachPosting(of: keys, in: blocks) { _ in units += 1 }
            return units <= min(total, blocks.count * PostingCode.blockSize)
        }
        var fine = count(0..<1 << 30)
        for _ in 0..<20 {
            let key = UInt32.random(in: 0..<1 << 30, using: &generator)
            fine = fine && count(key..<key + 1) && count(key..<1 << 30)
        }
        let query = QueryKeys(Self.song.landmarks, fanOut: 10)
        var voting = Voting(segment, parameters: MatchingParameters())
        for depth in Depth.allCases {
            let effort = Voting.Effort(blocks: 10_000, places: 8)
            let places = voting.places(for: depth.lookups(query), span: 250, speed: 1, effort: effort)
            fine = fine && places.count <= 8
            fine = fine && places.allSatisfy { (-400...segment.frameCount + 400).contains($0.frame) }
        }
        return fine
    }

    @Test("keys, buckets, offsets and postings may hold anything", arguments: 5...8)
    func changed(section: Int) throws {
        let whole = try Self.image.get()
        property("damaged section \(section)", rounds: 25) { generator in
            var image = whole
            var content = image.sections[section] ?? []
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: content.indices, using: &generator)
                let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
                let end = min(content.count, place + Int.random(in: 1...9, using: &generator))
                for index in place..<end { content[index] = values.randomElement(using: &generator) ?? 0 }
            }
            image.sections[section] = content
            return exercise(image, &generator)
        }
    }

    @Test("so may all of them", arguments: [0, 0xFF, 0x55, 1])
    func uniform(byte: UInt8) throws {
        let whole = try Self.image.get()
        property("uniform \(byte)", rounds: 3) { generator in
            (5...8).allSatisfy { section in
                var image = whole
                image.sections[section] = (image.sections[section] ?? []).map { _ in byte }
                return exercise(image, &generator)
            }
        }
        property("noise for \(byte)", rounds: 4) { generator in
            var image = whole
            for section in 5...8 {
                image.sections[section] = (image.sections[section] ?? []).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            }
            return exercise(image, &generator)
        }
    }

    @Test("a block that says it runs to the end of the file is read no further")
    func runningOn() throws {
        var image = try Self.image.get()
        let end = image.numbers(7).last ?? 0
        // Every block is the last one: zeros behind it are escapes without end.
        image.setNumbers([Int](repeating: end, count: image.numbers(7).count), section: 7)
        var generator = SeededGenerator(seed: 1)
        #expect(exercise(image, &generator))
        // Ends behind the padding, and behind the file.
        for beyond in [end + 1, end + 32, Int(UInt32.max)] {
            image.setNumbers([0] + [Int](repeating: beyond, count: image.numbers(7).count - 1), section: 7)
            #expect(exercise(image, &generator))
        }
    }

    @Test("sections of another size are refused")
    func sizes() throws {
        let whole = try Self.image.get()
        for section in 5...7 {
            for change in [-4, 4, 1] {
                var image = whole
                let content = image.sections[section] ?? []
                image.sections[section] =
                    change < 0 ? content.dropLast(-change) : content + [0, 0, 0, 0].prefix(change)
                #expect(code { _ = try image.segment } == .catalogInvalid, "section \(section), \(change) bytes")
            }
        }
        var short = whole
        short.sections[8] = [UInt8](repeating: 0, count: 31)
        #expect(code { _ = try short.segment } == .catalogInvalid)
    }

    @Test("a number of postings that does not fit the blocks is refused", arguments: [-33, -32, 32, 33, .max / 2])
    func counts(change: Int) throws {
        var image = try Self.image.get()
        image.postingCount += change
        #expect(code { _ = try image.segment } == .catalogInvalid)
    }

    @Test("and so is one that no number holds")
    func overflow() throws {
        for count in [-1, Int.max, Int.min, Int.max - 30] {
            var image = try Self.image.get()
            image.postingCount = count
            #expect(code { _ = try image.segment } == .catalogInvalid)
        }
    }
}
