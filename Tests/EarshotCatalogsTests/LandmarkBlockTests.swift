import EarshotCore
import EarshotSegments
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Packed landmarks of catalogs")
struct LandmarkBlockTests {
    /// Landmarks of a block in order: spread over it, crowded, or on its first and last step.
    private func landmarks(_ count: Int, block: Int, _ generator: inout SeededGenerator) -> [Landmark] {
        let areas = [0...511, 0...0, 511...511, 250...260, 0...63, 448...511]
        let area = areas.randomElement(using: &generator) ?? 0...511
        let landmarks = (0..<count).map { _ in
            let isAtEnd = Int.random(in: 0..<4, using: &generator) == 0
            let ends = isAtEnd ? Bool.random(using: &generator) ? 0...0 : 511...511 : area
            let step = Int.random(in: ends, using: &generator)
            return Landmark(
                time: UInt32(block * 512 + step),
                frequency: UInt16.random(in: 0..<1_920, using: &generator),
                tier: UInt8.random(in: 0...7, using: &generator)
            )
        }
        return landmarks.sorted()
    }

    /// The landmarks of a reference by the words of the format page: bit by bit, with nothing of the program's own reader.
    private func reading(_ directory: [UInt8], _ blocks: [UInt8]) -> [Landmark] {
        var landmarks: [Landmark] = []
        var start = 0
        for (block, count) in directory.map(Int.init).enumerated() where count > 0 {
            var position = start * 8
            func bits(_ width: Int) -> Int {
                defer { position += width }
                return (0..<width).reduce(0) { number, bit in
                    let at = position + bit
                    return number | Int(blocks[at / 8] >> UInt8(at % 8) & 1) << bit
                }
            }
            var spare = 0
            while 1 << spare < count { spare += 1 }
            var (highs, value): ([Int], Int) = ([], 0)
            for _ in 0..<count + 1 << spare - 1 {
                if bits(1) == 1 { highs.append(value) } else { value += 1 }
            }
            let times = highs.map { $0 << (9 - spare) | bits(9 - spare) }
            for time in times {
                let frequency = UInt16(bits(11))
                landmarks.append(
                    Landmark(time: UInt32(block * 512 + time), frequency: frequency, tier: UInt8(bits(3)))
                )
            }
            start = (position + 7) / 8
        }
        return landmarks
    }

    private func unpack(_ directory: [UInt8], _ blocks: [UInt8], room: Int = 0) -> [Landmark]? {
        let count = directory.count + blocks.count
        let bytes = MappedBytes([7] + directory + blocks + [UInt8](repeating: 0xFF, count: LandmarkBlocks.padding))
        return LandmarkBlocks.unpack(bytes.base, at: 1..<1 + count - room, directoryCount: directory.count)
    }

    @Test("what is written is read again", .requirements("R-CC-032"))
    func roundTrip() {
        property("landmark blocks", rounds: 300) { generator in
            let counts = [0, 0, 1, 2, 3, 48, 63, 64, 65, 255, Int.random(in: 0...255, using: &generator)]
            var expected: [Landmark] = []
            for block in 0..<Int.random(in: 0...9, using: &generator) {
                expected += landmarks(counts.randomElement(using: &generator) ?? 1, block: block, &generator)
            }
            let (directory, blocks) = LandmarkBlocks.pack(expected)
            let sizes = directory.map { LandmarkBlocks.sizes[Int($0)] }
            return unpack(directory, blocks) == expected && reading(directory, blocks) == expected
                && sizes.reduce(0, +) == blocks.count
        }
    }

    @Test("so is every number of landmarks, in the midst of a block and at its ends")
    func everyCount() {
        property("counts", rounds: 3) { generator in
            (0...255).allSatisfy { count in
                [0, 1, 4].allSatisfy { block in
                    let expected = landmarks(count, block: block, &generator)
                    let (directory, blocks) = LandmarkBlocks.pack(expected)
                    return blocks.count == LandmarkBlocks.sizes[count] && unpack(directory, blocks) == expected
                }
            }
        }
        let first = [Landmark](repeating: Landmark(time: 512, frequency: 1_919, tier: 5), count: 255)
        let last = [Landmark](repeating: Landmark(time: 1_023, frequency: 0, tier: 0), count: 255)
        for run in [first, last] {
            let (directory, blocks) = LandmarkBlocks.pack(run)
            #expect(directory == [0, 255])
            #expect(unpack(directory, blocks) == run)
        }
    }

    @Test("what does not fit into a block is left out, as in signature files")
    func crowded() {
        let run = (0..<300).map { Landmark(time: 500, frequency: UInt16($0), tier: 0) }
        let (directory, blocks) = LandmarkBlocks.pack(run + [Landmark(time: 512, frequency: 4, tier: 1)])
        #expect(directory == [255, 1])
        #expect(directory == LandmarkPacking.pack(run + [Landmark(time: 512, frequency: 4, tier: 1)]).directory)
        #expect(unpack(directory, blocks)?.dropFirst(254).map(\.frequency) == [254, 4])
    }

    @Test("a tier that has no place in the file becomes the last that has")
    func tiers() {
        let (directory, blocks) = LandmarkBlocks.pack([Landmark(time: 3, frequency: 1_000, tier: 15)])
        #expect(unpack(directory, blocks) == [Landmark(time: 3, frequency: 1_000, tier: 7)])
    }

    @Test("the example of the format page")
    func example() throws {
        let image = try CatalogImage.ofFormatPage()
        let first: [UInt8] = [0x57, 0, 0x50, 0x32, 0xC9, 0, 0x0F, 0xD0, 3, 0xE8, 0x82, 0x3E, 1, 0x6F]
        let second: [UInt8] = [0x0B, 0x96, 0xAD, 0, 0x1E, 0xA0, 7, 0xD0, 5]
        #expect(image.sections[3] == [5, 3] + first + second + [UInt8](repeating: 0, count: 8))
        let record = image.sections[1] ?? []
        #expect(CatalogImage.number(record, 20, 4) == 2)
        #expect(CatalogImage.number(record, 40, 4) == 25)
        // The sizes that the page names.
        let sizes = [0, 1, 2, 3, 5, 48, 64, 65, 255].map { LandmarkBlocks.sizes[$0] }
        #expect(sizes == [0, 3, 6, 9, 14, 116, 152, 154, 542])
    }

    @Test("a reference has one form: any other byte is refused")
    func oneForm() {
        property("other bytes", rounds: 30) { generator in
            var expected = landmarks(Int.random(in: 1...60, using: &generator), block: 0, &generator)
            expected += landmarks(Int.random(in: 1...60, using: &generator), block: 2, &generator)
            let (directory, blocks) = LandmarkBlocks.pack(expected)
            guard unpack(directory, blocks, room: 1) == nil, unpack(directory, blocks + [0]) == nil,
                unpack(directory + [0], blocks) == nil
            else { return false }
            // Whatever else is read stands for other landmarks: no two runs of bytes are the same ones.
            for _ in 0..<200 {
                var (changed, other) = (directory, blocks)
                let bit: UInt8 = 1 << UInt8.random(in: 0...7, using: &generator)
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    changed[Int.random(in: 0..<3, using: &generator)] ^= bit
                } else {
                    other[Int.random(in: other.indices, using: &generator)] ^= bit
                }
                if let landmarks = unpack(changed, other) {
                    guard landmarks != expected, landmarks == landmarks.sorted() else { return false }
                }
            }
            return true
        }
    }

    @Test("bytes of any kind are read without leaving their place, and no time leaves its block")
    func noise() {
        property("noise", rounds: 300) { generator in
            let count = Int.random(in: 0...255, using: &generator)
            let size = LandmarkBlocks.sizes[count]
            let kinds: [ClosedRange<UInt8>] = [0...0, 255...255, 0...255, 0...1, 0x80...0x80]
            let kind = kinds.randomElement(using: &generator) ?? 0...255
            let noise = (0..<size + LandmarkBlocks.padding).map { _ in UInt8.random(in: kind, using: &generator) }
            let bytes = MappedBytes(noise)
            var (read, inside) = (0, true)
            LandmarkBlocks.forEachLandmark(in: bytes.base, at: 0, count: count) { time, frequency, tier in
                read += 1
                inside = inside && time < 512 && frequency < 2_048 && tier < 8
            }
            return inside && read <= count
        }
    }
}
