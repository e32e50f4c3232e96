import EarshotCore
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("The bytes of media items")
struct PropertyValueCodecTests {
    private func bytes(_ item: MediaItem) -> [UInt8] {
        var writer = ByteWriter()
        item.encode(to: &writer)
        return writer.bytes
    }

    private func item(_ bytes: [UInt8]) -> MediaItem? {
        var reader = ByteReader(bytes)
        let item = MediaItem.decode(from: &reader)
        return reader.remaining == 0 ? item : nil
    }

    @Test("Every kind has the bytes that the format page gives")
    func golden() throws {
        let item = try MediaItem(properties: [
            "b": -2, "a": "é", "c": 1.5, "d": true, "e": false, "f": .date(Date(timeIntervalSinceReferenceDate: 1)),
            "g": .data(Data([7])), "h": [1], "i": ["z": "", "y": ""],
        ])
        let expected: [UInt8] =
            [9, 1, 0x61, 1, 2, 0xC3, 0xA9]
            + [1, 0x62, 2, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
            + [1, 0x63, 3, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F] + [1, 0x64, 5] + [1, 0x65, 4]
            + [1, 0x66, 6, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F] + [1, 0x67, 7, 1, 7]
            + [1, 0x68, 8, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0]
            + [1, 0x69, 9, 2, 1, 0x79, 1, 0, 1, 0x7A, 1, 0]
        #expect(bytes(item) == expected)
        #expect(self.item(expected) == item)
    }

    @Test("What was written is read again, and in one form only")
    func roundTrip() {
        property("round trip", rounds: 300) { generator in
            let item = try generator.mediaItem()
            let encoded = bytes(item)
            guard let read = self.item(encoded) else { return false }
            return read == item && bytes(read) == encoded
        }
    }

    @Test("The order in which properties were given does not show")
    func order() {
        property("order", rounds: 100) { generator in
            let item = try generator.mediaItem()
            var other: [MediaItemKey: PropertyValue] = [:]
            for (key, value) in item.properties.shuffled(using: &generator) { other[key] = value }
            return try bytes(MediaItem(properties: other)) == bytes(item)
        }
    }

    @Test("Every truncation is refused")
    func truncated() {
        property("truncated", rounds: 30) { generator in
            let encoded = bytes(try generator.mediaItem())
            return (0..<encoded.count).allSatisfy { item(Array(encoded.prefix($0))) == nil }
        }
    }

    @Test("Mutations are refused or give an item that is valid")
    func mutated() {
        property("mutated", rounds: 2_000) { generator in
            let encoded = bytes(try generator.mediaItem())
            let changed = generator.mutated(encoded)
            guard let read = item(changed) else { return true }
            // One form only: what is read has just these bytes.
            return try MediaItem(properties: read.properties) == read && bytes(read) == changed
        }
    }

    @Test("What the format forbids is refused")
    func forbidden() {
        // Names out of order, and twice the same.
        #expect(item([2, 1, 0x62, 4, 1, 0x61, 4]) == nil)
        #expect(item([2, 1, 0x61, 4, 1, 0x61, 4]) == nil)
        // An unknown kind, a number that is none, a key that only a match writes, an empty key.
        #expect(item([1, 1, 0x61, 10]) == nil)
        #expect(item([1, 1, 0x61, 0]) == nil)
        #expect(item([1, 1, 0x61, 3, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F]) == nil)
        #expect(item([1, 10] + Array("confidence".utf8) + [4]) == nil)
        #expect(item([1, 0, 4]) == nil)
        // Counts beyond the end.
        #expect(item([0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) == nil)
        #expect(item([1, 1, 0x61, 8, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) == nil)
        #expect(item([1, 1, 0x61, 7, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]) == nil)
        // Deeper than 32 levels.
        let deep = [UInt8](repeating: 0, count: 100_000).flatMap { _ in [8, 1] as [UInt8] }
        #expect(item([1, 1, 0x61] + deep) == nil)
    }
}

extension SeededGenerator {
    /// Any media item.
    mutating func mediaItem() throws -> MediaItem {
        var properties: [MediaItemKey: PropertyValue] = [:]
        for _ in 0..<Int.random(in: 0...6, using: &self) { properties[MediaItemKey(text(1...9))] = value(depth: 3) }
        if Bool.random(using: &self) { properties[.title] = .string(text(0...20)) }
        if Bool.random(using: &self) { properties[.genres] = [.string(text(0...5))] }
        return try MediaItem(properties: properties)
    }

    private mutating func text(_ length: ClosedRange<Int>) -> String {
        String(
            (0..<Int.random(in: length, using: &self)).map { _ in "aZ09 é漢🎵/\u{0}".randomElement(using: &self) ?? "a" }
        )
    }

    private mutating func value(depth: Int) -> PropertyValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &self) {
        case 0: return .string(text(0...12))
        case 1: return .integer(Int64(truncatingIfNeeded: next()) >> Int64.random(in: 0...63, using: &self))
        case 2: return .real(Double.random(in: -1e9...1e9, using: &self))
        case 3: return .boolean(Bool.random(using: &self))
        case 4: return .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &self)))
        case 5, 6: return .data(Data((0..<Int.random(in: 0...9, using: &self)).map { UInt8($0 * 17) }))
        case 7: return .array((0..<Int.random(in: 0...3, using: &self)).map { _ in value(depth: depth - 1) })
        default:
            var members: [String: PropertyValue] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &self) { members[text(0...4)] = value(depth: depth - 1) }
            return .dictionary(members)
        }
    }
}
