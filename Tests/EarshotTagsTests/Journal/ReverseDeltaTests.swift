import EarshotCore
import EarshotMedia
import Foundation
import TestSupport
import Testing

@testable import EarshotTags

@Suite("Ways back to old bytes")
struct ReverseDeltaTests {
    private func operations(_ old: [UInt8], _ new: [UInt8], in folder: URL) throws -> (bytes: [UInt8], new: RawFile) {
        let urls = ["old", "new"].map { folder.appendingPathComponent($0) }
        try Data(old).write(to: urls[0])
        try Data(new).write(to: urls[1])
        let file = try RawFile(reading: urls[1].path)
        var bytes: [UInt8] = []
        try ReverseDelta.make(old: RawFile(reading: urls[0].path), new: file) { bytes += $0 }
        return (bytes, file)
    }

    private func apply(_ bytes: [UInt8], _ new: RawFile, size: Int, pieces: () -> Int) throws -> [UInt8] {
        var application = try DeltaApplication(new, oldSize: size)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + pieces())
            try application.apply(Array(bytes[place..<end])) { result += $0 }
            place = end
        }
        try application.finish()
        return result
    }

    private func noise(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }

    @Test("Any two files lead back to the old one, the operations cut into any pieces")
    func anything() throws {
        try withTemporaryFolder { folder in
            property("deltas", rounds: 150) { generator in
                let old = noise(Int.random(in: 0...6_000, using: &generator), &generator)
                var new = old
                for _ in 0..<Int.random(in: 0...6, using: &generator) {
                    let place = Int.random(in: 0...new.count, using: &generator)
                    let end = min(new.count, place + Int.random(in: 0...900, using: &generator))
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: new.removeSubrange(place..<end)
                    case 1: new.insert(contentsOf: noise(end - place, &generator), at: place)
                    case 2: new.insert(contentsOf: new[place..<end], at: Int.random(in: 0...place, using: &generator))
                    default: new.replaceSubrange(place..<end, with: noise(end - place, &generator))
                    }
                }
                let (bytes, file) = try operations(old, new, in: folder)
                var cutter = generator
                return try apply(bytes, file, size: old.count) { Int.random(in: 1...200, using: &cutter) } == old
            }
        }
    }

    @Test("What only moved, and pages that differ in a few bytes, take little room")
    func sizes() throws {
        var generator = SeededGenerator(seed: 3)
        let sound = noise(400_000, &generator)
        try withTemporaryFolder { folder in
            // Tags at both ends become longer and shorter.
            let old = noise(3_000, &generator) + sound + noise(500, &generator)
            let new = noise(9_000, &generator) + sound + noise(200, &generator)
            let moved = try operations(old, new, in: folder)
            #expect(moved.bytes.count < 3_600)
            #expect(try apply(moved.bytes, moved.new, size: old.count) { 64 } == old)
            // A page of 4,500 bytes, of which eight differ.
            var paged = sound
            for page in stride(from: 0, to: sound.count - 30, by: 4_500) {
                for index in 18..<26 { paged[page + index] = UInt8(truncatingIfNeeded: generator.next()) }
            }
            let pages = try operations(sound, noise(7_000, &generator) + paged, in: folder)
            #expect(pages.bytes.count < 90 * 20 + 200)
            #expect(try apply(pages.bytes, pages.new, size: sound.count) { 1_000 } == sound)
        }
    }

    @Test("Damaged operations are refused, or give something else of the same size, and nothing beyond it")
    func damage() throws {
        try withTemporaryFolder { folder in
            var refused = 0
            property("damaged deltas") { generator in
                let old = noise(3_000, &generator)
                let (bytes, file) = try operations(old, noise(40, &generator) + old.dropFirst(100), in: folder)
                let damaged = generator.mutated(bytes)
                do {
                    return try apply(damaged, file, size: old.count) { 37 }.count == old.count
                } catch let error as EarshotError {
                    refused += 1
                    return error.code == .storeDamaged
                }
            }
            #expect(refused > 50)
        }
    }
}
