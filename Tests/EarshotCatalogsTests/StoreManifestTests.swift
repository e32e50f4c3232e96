import EarshotCore
import EarshotSegments
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("The manifest of a store")
struct StoreManifestTests {
    private static let sample = StoreManifest(
        generation: 7,
        nextNumber: 12,
        limits: .standard,
        entries: [
            StoreManifest.Entry(
                number: 3,
                size: 70_000,
                checksum: 0x0102_0304,
                referenceCount: 200,
                removed: [0, 5, 199]
            ),
            StoreManifest.Entry(number: 11, size: 900, checksum: 0xFFFF_FFFF, referenceCount: 1),
        ]
    )

    private func code(_ bytes: [UInt8]) -> EarshotError.Code? {
        TestSupport.code { _ = try StoreManifest(bytes, name: "m") }
    }

    /// The bytes with length and checksum put right.
    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 20 else { return bytes }
        var bytes = bytes
        for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: bytes.count >> (index * 8)) }
        let checksum = CRC32C.checksum(Array(bytes.dropLast(4)))
        for index in 0..<4 { bytes[bytes.count - 4 + index] = UInt8(truncatingIfNeeded: checksum >> (index * 8)) }
        return bytes
    }

    @Test("Version 1.0 is written the same for ever")
    func golden() throws {
        let bytes = Self.sample.bytes
        #expect(bytes.count == 120)
        #expect(Array(bytes[0..<16]) == Array("EARSHSTO".utf8) + [1, 0, 0, 0, 120, 0, 0, 0])
        #expect(Array(bytes[16..<32]) == [7, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[32..<48]) == [0xE8, 3, 0, 0, 0x98, 0x3A, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[48..<64]) == [3, 0, 0, 0, 0, 0, 0, 0, 0x70, 0x11, 1, 0, 0, 0, 0, 0])
        #expect(Array(bytes[64..<80]) == [4, 3, 2, 1, 200, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[112..<116]) == [0, 5, 0xC2, 1])
        #expect(Array(bytes[116..<120]) == [0x36, 0xE8, 0x88, 0xD7])
        #expect(try StoreManifest(bytes, name: "m") == Self.sample)
        #expect(Self.sample.entries[0].fileName == "segment-000000000003.earcat")
    }

    @Test("What is written is read")
    func roundTrip() {
        property("manifest", rounds: 200) { generator in
            let count = Int.random(in: 0...6, using: &generator)
            let entries = (0..<count).map { index in
                let references = Int.random(in: 0...2_000, using: &generator)
                return StoreManifest.Entry(
                    number: UInt64(index * 3 + 1),
                    size: UInt64.random(in: 0...UInt64.max, using: &generator),
                    checksum: UInt32.random(in: 0...UInt32.max, using: &generator),
                    referenceCount: references,
                    removed: Set((0..<references).filter { _ in Int.random(in: 0..<9, using: &generator) == 0 })
                )
            }
            let manifest = StoreManifest(
                generation: UInt64.random(in: 0...1 << 48, using: &generator),
                nextNumber: 100,
                limits: .standard,
                entries: entries
            )
            return try StoreManifest(manifest.bytes, name: "m") == manifest
        }
    }

    @Test("Generations and numbers that could not be counted up are refused")
    func highest() throws {
        for number: UInt64 in [1 << 48 + 1, .max] {
            var manifest = Self.sample
            manifest.generation = number
            #expect(code(manifest.bytes) == .catalogInvalid)
            manifest = Self.sample
            manifest.nextNumber = number
            #expect(code(manifest.bytes) == .catalogInvalid)
        }
    }

    @Test("A change that would be the last one is refused, and the store stays as it is", arguments: [true, false])
    func wornOut(byGeneration: Bool) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            let signature = Songs.drawn(1, seconds: 2)
            try CatalogStore.create(at: url).add([Catalog.Addition(id: "a", signature: signature, items: [])])
            let file = StoreFolder.manifestURL(in: url)
            var manifest = try StoreManifest([UInt8](Data(contentsOf: file)), name: "m")
            if byGeneration {
                manifest.generation = StoreManifest.maximumNumber
            } else {
                manifest.nextNumber = StoreManifest.maximumNumber
            }
            try Data(manifest.bytes).write(to: file)
            let store = try CatalogStore(url)
            let refused = TestSupport.code {
                try store.add([Catalog.Addition(id: "b", signature: signature, items: [])])
            }
            #expect(refused == .catalogInvalid)
            #expect(try [UInt8](Data(contentsOf: file)) == manifest.bytes)
            #expect(try Catalog(contentsOf: url).referenceIDs == ["a"])
        }
    }

    @Test("Cut at any byte, or with any byte changed, it is refused")
    func everyByte() {
        let bytes = Self.sample.bytes
        for length in bytes.indices { #expect(code(Array(bytes.prefix(length))) == .catalogInvalid) }
        #expect(code(bytes + [0]) == .catalogInvalid)
        property("manifest, every byte", rounds: 20) { generator in
            bytes.indices.allSatisfy { index in
                var changed = bytes
                changed[index] ^= UInt8.random(in: 1...255, using: &generator)
                return code(changed) == .catalogInvalid
            }
        }
    }

    @Test("Whatever it says, with a checksum that fits it is refused or read")
    func mutated() {
        let bytes = Self.sample.bytes
        property("manifest, mutated and sealed", rounds: 1_000) { generator in
            let changed = sealed(generator.mutated(bytes))
            guard let manifest = try? StoreManifest(changed, name: "m") else { return code(changed) == .catalogInvalid }
            return manifest.entries.allSatisfy { entry in
                entry.number < manifest.nextNumber && entry.removed.allSatisfy { $0 < entry.referenceCount }
            }
        }
    }

    @Test("A newer version is refused by its number")
    func newer() {
        var bytes = Self.sample.bytes
        bytes[8] = 2
        let failure = #expect(throws: EarshotError.self) { try StoreManifest(sealed(bytes), name: "m") }
        #expect(failure?.code == .catalogInvalid)
        #expect(failure?.message.contains("version 2.0") == true)
    }
}
