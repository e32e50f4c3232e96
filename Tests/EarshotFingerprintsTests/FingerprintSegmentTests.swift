import EarshotCore
import EarshotSegments
@testable import EarshotFingerprints
import Foundation
import TestSupport
import Testing

@Suite("Segments of fingerprints")
struct FingerprintSegmentTests {
    private func image(_ entries: some Sequence<FingerprintIndex.Entry>) throws -> [UInt8] {
        let memory = SegmentMemory()
        var writer = try FingerprintSegmentWriter(memory, algorithm: .standard)
        for entry in entries { try writer.add(entry.fingerprint, id: entry.id) }
        try writer.finish()
        return memory.bytes
    }

    private func drawn(_ generator: inout SeededGenerator, _ count: Int) throws -> [FingerprintIndex.Entry] {
        // Few different sub-fingerprints, so that lists are long and span blocks.
        let pool = (0..<30).map { _ in UInt32.random(in: 0 ... .max, using: &generator) }
        return try (0..<count).map { _ in
            let values = (0..<Int.random(in: 1...250, using: &generator)).map { _ in
                pool.randomElement(using: &generator) ?? 0
            }
            let duration = MediaTime(value: Int64.random(in: 0...400_000, using: &generator), timescale: 1000)
            return FingerprintIndex.Entry(
                id: generator.next(),
                fingerprint: try FileFingerprint(values, duration: duration)
            )
        }
    }

    @Test("What is left of segments becomes the bytes that its fingerprints give when they are laid out at once")
    func merging() throws {
        property("merge against laying out", rounds: 30) { generator in
            var sources: [FingerprintSegmentMerger.Source] = []
            var kept: [FingerprintIndex.Entry] = []
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let entries = try drawn(&generator, Int.random(in: 0...40, using: &generator))
                let removed = Set(entries.indices.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
                kept += entries.indices.filter { !removed.contains($0) }.map { entries[$0] }
                let segment = try FingerprintSegment(MappedBytes(image(entries)), name: "test")
                sources.append(.init(segment: segment, removed: Set(removed.map(UInt32.init))))
            }
            let memory = SegmentMemory()
            try FingerprintSegmentMerger.merge(sources, to: memory)
            return try memory.bytes == image(kept)
        }
    }

    @Test("Every list holds the fingerprints that have its term, and nothing else")
    func lists() throws {
        property("lists", rounds: 40) { generator in
            let entries = try drawn(&generator, Int.random(in: 1...300, using: &generator))
            let segment = try FingerprintSegment(MappedBytes(image(entries)), name: "test")
            try segment.verify()
            var expected: [UInt32: [UInt32]] = [:]
            for (number, entry) in entries.enumerated() {
                for term in FingerprintTerms.terms(of: entry.fingerprint.values) {
                    expected[term, default: []].append(UInt32(number))
                }
            }
            for term in Array(expected.keys) + [0, 1 << 24 - 1, 77] {
                var found: [UInt32] = []
                segment.forEachDocument(of: term, in: segment.blocks(of: term)) { found.append($0) }
                guard found == expected[term] ?? [] else { return false }
            }
            return true
        }
    }

    @Test("A damaged segment is refused, or at least found damaged, and never leads astray")
    func damaged() throws {
        var generator = SeededGenerator(seed: 21)
        let entries = try drawn(&generator, 60)
        let bytes = try image(entries)
        let query = FingerprintQuery(entries[0].fingerprint, FingerprintSearchOptions())
        property("damaged segments", rounds: 500) { generator in
            let damaged = generator.mutated(bytes)
            guard damaged != bytes else { return true }
            do throws(EarshotError) {
                let segment = try FingerprintSegment(MappedBytes(damaged), name: "test")
                _ = segment.matches(query, terms: query.terms, removed: [])
                try segment.verify()
                // Only what lies between the sections is not looked at.
                return damaged.count == bytes.count
                    && zip(damaged, bytes).filter { $0 != $1 }.count < 8
            } catch {
                return error.code == .storeDamaged
            }
        }
    }

    @Test("A segment whose checksums are right and whose content is wrong never leads astray")
    func hostile() throws {
        var generator = SeededGenerator(seed: 22)
        let entries = try drawn(&generator, 60)
        let bytes = try image(entries)
        let query = FingerprintQuery(entries[0].fingerprint, FingerprintSearchOptions())
        property("hostile segments", rounds: 500) { generator in
            let tableEnd = 64 + 6 * 24
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let place = Int.random(in: tableEnd + 8..<bytes.count, using: &generator)
                damaged[place] =
                    [0, 0xFF, 0x80, UInt8.random(in: 0...255, using: &generator)]
                    .randomElement(using: &generator) ?? 0
            }
            let segment = try FingerprintSegment(MappedBytes(Self.sealed(damaged)), name: "test")
            _ = segment.matches(query, terms: query.terms, removed: [])
            _ = segment.matches(query, terms: query.neighbours, removed: [3])
            _ = try? segment.verify()
            try? FingerprintSegmentMerger.merge([.init(segment: segment, removed: [5])], to: SegmentMemory())
            return true
        }
    }

    /// A segment with all checksums put right.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var sealed = bytes
        func number(_ at: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        func put(_ value: UInt32, at: Int) {
            for index in 0..<4 { sealed[at + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
        }
        for entry in 0..<6 {
            let at = 64 + entry * 24
            let (offset, count) = (number(at + 8), number(at + 16))
            put(CRC32C.checksum(Array(sealed[offset..<offset + count])), at: at + 4)
        }
        put(CRC32C.checksum(Array(sealed[..<(64 + 6 * 24)])), at: 64 + 6 * 24)
        return sealed
    }

    @Test("A segment with one section twice is refused")
    func doubled() throws {
        var generator = SeededGenerator(seed: 24)
        let bytes = try image(drawn(&generator, 5))
        // The table with a seventh entry, and all that lies behind it so much later.
        let (tableEnd, added) = (64 + 6 * 24, 24)
        var doubled = Array(bytes[..<tableEnd]) + Array(bytes[64..<88])
        doubled[52] = 7
        for entry in 0..<7 {
            let at = 64 + entry * 24 + 8
            let offset = (0..<8).reduce(0) { $0 | Int(doubled[at + $1]) << (8 * $1) } + added
            for index in 0..<8 { doubled[at + index] = UInt8(truncatingIfNeeded: offset >> (8 * index)) }
        }
        let count = bytes.count + added
        for index in 0..<8 { doubled[24 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
        func sealed(_ table: [UInt8]) -> [UInt8] {
            var sealed = table
            let sum = CRC32C.checksum(table)
            for index in 0..<4 { sealed.append(UInt8(truncatingIfNeeded: sum >> UInt32(8 * index))) }
            return sealed + bytes[(tableEnd + 4)...]
        }
        let error = #expect(throws: EarshotError.self) {
            try FingerprintSegment(MappedBytes(sealed(doubled)), name: "test")
        }
        #expect(error?.message.contains("twice") == true)
        // With another number it is one that a reader does not know.
        doubled[64 + 6 * 24] = 99
        try FingerprintSegment(MappedBytes(sealed(doubled)), name: "test").verify()
    }

    @Test("A cut segment, one of another version and one of another program's are refused by name")
    func refused() throws {
        var generator = SeededGenerator(seed: 23)
        let bytes = try image(drawn(&generator, 10))
        for count in [0, 7, 12, 60, 200, bytes.count - 1] {
            #expect(throws: EarshotError.self) {
                try FingerprintSegment(MappedBytes(Array(bytes.prefix(count))), name: "test")
            }
        }
        var newer = bytes
        newer[8] = 2
        let error = #expect(throws: EarshotError.self) { try FingerprintSegment(MappedBytes(newer), name: "print") }
        #expect(error?.message.contains("print has version 2") == true)
    }

    @Test("A manifest comes out of its bytes again, and a damaged one is refused")
    func manifest() throws {
        property("manifests", rounds: 300) { generator in
            var manifest = FingerprintManifest(algorithm: .test2)
            for number in 0..<UInt64.random(in: 0...6, using: &generator) {
                let removed = Set(
                    (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                        UInt32.random(in: 0..<1 << 24, using: &generator)
                    }
                )
                manifest.entries.append(.init(number: number, removed: removed))
                manifest.nextNumber = number + 1
            }
            guard try FingerprintManifest(manifest.bytes, name: "test") == manifest else { return false }
            let damaged = generator.mutated(manifest.bytes)
            return damaged == manifest.bytes || (try? FingerprintManifest(damaged, name: "test")) == nil
        }
    }

    @Test("Numbers are sorted by their digits as by comparing")
    func sorting() {
        property("sorting", rounds: 20) { generator in
            let count = Int.random(in: 0...20_000, using: &generator)
            var numbers = (0..<count).map { _ in UInt64.random(in: 0..<1 << 48, using: &generator) }
            let expected = numbers.sorted()
            RadixSort.sort(&numbers, bits: 48)
            return numbers == expected
        }
    }

    @Test("The bytes are those of the example in the description of the format")
    func example() throws {
        let print = try FileFingerprint(
            [0x1122_3344, 0x1122_3355],
            duration: MediaTime(value: 3, timescale: 1)
        )
        let bytes = try image([FingerprintIndex.Entry(id: 7, fingerprint: print)])
        func hexadecimal(_ span: SectionSpan) -> String {
            bytes[span.offset..<span.offset + span.count].map {
                ($0 < 16 ? "0" : "") + String($0, radix: 16)
            }.joined(separator: " ")
        }
        let segment = try FingerprintSegment(MappedBytes(bytes), name: "test")
        #expect(
            hexadecimal(segment.documentSpan)
                == "07 00 00 00 00 00 00 00 b8 0b 00 00 02 00 00 00 00 00 00 00 00 00 00 00"
        )
        #expect(hexadecimal(segment.valueSpan) == "44 33 22 11")
        #expect(hexadecimal(segment.keySpan) == "00 00 00 33 22 11 00 00")
        #expect(hexadecimal(segment.bucketSpan) == "00 00 00 00 01 00 00 00")
        #expect(hexadecimal(segment.offsetSpan) == "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
        #expect(segment.postingSpan.count == 0)
    }
}
