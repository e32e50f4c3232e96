import EarshotCore
import EarshotSegments
@testable import EarshotFingerprints
import Foundation
import TestSupport
import Testing

@Suite("The index of fingerprints")
struct FingerprintIndexTests {
    private func entries(
        _ generator: inout SeededGenerator,
        count: Int,
        first: Int = 0
    ) throws -> [FingerprintIndex.Entry] {
        try (0..<count).map { number in
            let length = Int.random(in: 30...700, using: &generator)
            let seconds = Int.random(in: 100...130, using: &generator)
            return FingerprintIndex.Entry(
                id: UInt64(first + number),
                fingerprint: try generator.fingerprint(count: length, seconds: seconds)
            )
        }
    }

    /// What a search should find, found by looking at everything.
    private func expected(
        _ query: FileFingerprint,
        in entries: [FingerprintIndex.Entry],
        _ options: FingerprintSearchOptions
    ) -> [UInt64: Double] {
        let comparison = FingerprintComparison(query.values)
        let diversity = FingerprintComparison.diversity(of: query.values)
        var scores: [UInt64: Double] = [:]
        for entry in entries {
            let difference = abs((entry.fingerprint.duration - query.duration).seconds)
            guard difference <= Double(options.durationDifference) else { continue }
            // Every fourth sub-fingerprint is kept, and all offsets are tried.
            let kept = stride(from: 0, to: entry.fingerprint.values.count, by: 4).map { entry.fingerprint.values[$0] }
            let count = entry.fingerprint.values.count
            let best = kept.withUnsafeBufferPointer { kept in
                (-count..<query.values.count).map {
                    comparison.alignment(kept, step: 4, count: count, at: $0).score
                }.max() ?? 0
            }
            let score = FingerprintComparison.weighed(best, diversity: diversity)
            if score >= options.minimumScore { scores[entry.id] = score }
        }
        return scores
    }

    @Test("What is found is what looking at everything finds, with and without damage, in one segment and in several")
    func oracle() throws {
        property("index against everything", rounds: 12) { generator in
            try withTemporaryFolder { folder in
                let all = try entries(&generator, count: Int.random(in: 1...60, using: &generator))
                let index = try FingerprintIndex(at: folder, access: .writing)
                let cut = Int.random(in: 0...all.count, using: &generator)
                try index.add(all[..<cut])
                try index.add(all[cut...])
                guard index.count == all.count else { return false }
                for _ in 0..<6 {
                    let chosen = all.randomElement(using: &generator)!.fingerprint
                    var query = try generator.damaged(
                        chosen,
                        bits: Double.random(in: 0...2.5, using: &generator),
                        offset: Int.random(in: -10...10, using: &generator)
                    )
                    // One in three is of nothing that is there.
                    if Bool.random(using: &generator), Bool.random(using: &generator) {
                        query = try generator.fingerprint(count: 300, seconds: 115)
                    }
                    var options = FingerprintSearchOptions()
                    options.durationDifference = Int.random(in: 1...30, using: &generator)
                    options.maximumResults = 100
                    let scores = expected(query, in: all, options)
                    let found = try index.search(for: query, options: options)
                    // Nothing else, in order, and never better than it is.
                    guard found.allSatisfy({ (scores[$0.id] ?? 0) >= $0.score - 1e-9 }),
                        zip(found, found.dropFirst()).allSatisfy({ $0.score >= $1.score }),
                        Set(found.map(\.id)).count == found.count
                    else { return false }
                    // Whatever is clearly the same is there, with about its score: where terms are damaged, the offset that most
                    // of the others say may be one beside that of the best score.
                    for (id, score) in scores where score > 0.6 {
                        guard let match = found.first(where: { $0.id == id }), match.score > score - 0.05 else {
                            return false
                        }
                    }
                }
                return true
            }
        }
    }

    @Test("A fingerprint of which every term is damaged is found by terms that are like them, and not without")
    func near() throws {
        var generator = SeededGenerator(seed: 11)
        try withTemporaryFolder { folder in
            // Without neighbours that are alike, whose terms would be those of damaged ones.
            let all = try (0..<50).map { number in
                let values = (0..<400).map { _ in UInt32.random(in: 0 ... .max, using: &generator) }
                let duration = MediaTime(value: 200, timescale: 1)
                return FingerprintIndex.Entry(
                    id: UInt64(number),
                    fingerprint: try FileFingerprint(values, duration: duration)
                )
            }
            let index = try FingerprintIndex(at: folder, access: .writing)
            try index.add(all)
            for bits in [[31], [8], [31, 9]] as [[UInt32]] {
                let entry = all[7]
                let values = entry.fingerprint.values.map { value in bits.reduce(value) { $0 ^ 1 << $1 } }
                let query = try FileFingerprint(values, duration: entry.fingerprint.duration)
                #expect(try index.search(for: query).map(\.id) == [entry.id])
                var exact = FingerprintSearchOptions()
                exact.searchesNear = false
                #expect(try index.search(for: query, options: exact).isEmpty)
            }
        }
    }

    @Test("Durations further apart than asked for are not found, and neither are scores below the least")
    func limits() throws {
        var generator = SeededGenerator(seed: 12)
        try withTemporaryFolder { folder in
            let index = try FingerprintIndex(at: folder, access: .writing)
            let print = try generator.fingerprint(count: 500, seconds: 200)
            try index.add([FingerprintIndex.Entry(id: 5, fingerprint: print)])
            for (seconds, difference, isFound) in [
                (207, 7, true), (208, 7, false), (193, 7, true), (192, 7, false), (230, 30, true),
            ] {
                let query = try FileFingerprint(print.values, duration: MediaTime(value: Int64(seconds), timescale: 1))
                var options = FingerprintSearchOptions()
                options.durationDifference = difference
                #expect(try index.search(for: query, options: options).isEmpty != isFound, "\(seconds) s")
            }
            let damaged = try generator.damaged(print, bits: 4)
            var options = FingerprintSearchOptions()
            options.minimumScore = 0.95
            #expect(try index.search(for: damaged, options: options).isEmpty)
            options.durationDifference = 31
            #expect(throws: EarshotError.self) { try index.search(for: print, options: options) }
        }
    }

    @Test("Silence before the sound makes no difference to what is found")
    func silence() throws {
        var generator = SeededGenerator(seed: 13)
        try withTemporaryFolder { folder in
            let index = try FingerprintIndex(at: folder, access: .writing)
            let all = try entries(&generator, count: 20)
            try index.add(all)
            let print = try #require(all.first { $0.fingerprint.values.count > 400 }).fingerprint
            let silence = [UInt32](repeating: FileFingerprint.silence, count: 60)
            let query = try FileFingerprint(silence + print.values, duration: print.duration)
            let found = try #require(try index.search(for: query).first)
            #expect(found.offset == MediaTime(value: 60 * 1_365, timescale: 11_025))
            let nothing = try FileFingerprint(silence, duration: print.duration)
            #expect(try index.search(for: nothing).isEmpty)
        }
    }

    @Test("What is removed is not found, now and after opening and merging again")
    func removing() throws {
        property("removing", rounds: 15) { generator in
            try withTemporaryFolder { folder in
                var index: FingerprintIndex? = try FingerprintIndex(at: folder, access: .writing)
                let all = try entries(&generator, count: 40)
                for part in 0..<4 { try index?.add(all[part * 10..<part * 10 + 10]) }
                let removed = Set(all.map(\.id).filter { _ in Bool.random(using: &generator) })
                guard try index?.remove(removed) == removed.count, try index?.remove(removed) == 0 else { return false }
                func isRight(_ index: FingerprintIndex) throws -> Bool {
                    try index.count == all.count - removed.count
                        && all.allSatisfy { entry in
                            let found = try index.search(for: entry.fingerprint).contains { $0.id == entry.id }
                            return found != removed.contains(entry.id)
                        }
                }
                guard let open = index, try isRight(open) else { return false }
                index = nil
                let again = try FingerprintIndex(at: folder, access: .reading)
                guard try isRight(again) else { return false }
                return try withExtendedLifetime(open) {
                    try open.merge()
                    try open.verify()
                    return try isRight(open) && open.segmentCount <= 1
                }
            }
        }
    }

    @Test("Segments of like size become one, and nothing is lost by it")
    func merging() throws {
        var generator = SeededGenerator(seed: 14)
        try withTemporaryFolder { folder in
            let index = try FingerprintIndex(at: folder, access: .writing)
            let all = try entries(&generator, count: 30)
            for entry in all { try index.add([entry]) }
            #expect(index.segmentCount < 10)
            #expect(index.count == 30)
            for entry in all { #expect(try index.search(for: entry.fingerprint).first?.id == entry.id) }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.filter { $0.hasSuffix(".earprints") }.count == index.segmentCount)
            try index.verify()
        }
    }

    @Test("Which segments become one")
    func policy() {
        func plan(_ counts: [Int]) -> Range<Int>? {
            FingerprintIndex.mergePolicy.plan(counts.map { MergePolicy.Size(size: $0, entryCount: $0) })
        }
        #expect(plan([1, 1, 1]) == nil)
        #expect(plan([100] + Array(repeating: 1, count: 8)) == 1..<9)
        #expect(plan(Array(repeating: 3, count: 9)) == 0..<9)
        #expect(plan(Array(repeating: 4_000_000, count: 8)) == nil)
    }

    @Test("One changes an index at a time, and one that is only read cannot be changed")
    func access() throws {
        try withTemporaryFolder { folder in
            let writer = try FingerprintIndex(at: folder, access: .writing)
            let second = #expect(throws: EarshotError.self) { try FingerprintIndex(at: folder, access: .writing) }
            #expect(second?.code == .storeUnavailable)
            let reader = try FingerprintIndex(at: folder, access: .reading)
            #expect(throws: EarshotError.self) { try reader.remove([1]) }
            withExtendedLifetime(writer) {}
            let nowhere = folder.appendingPathComponent("nowhere")
            #expect(throws: EarshotError.self) { try FingerprintIndex(at: nowhere, access: .reading) }
        }
    }

    @Test("A fingerprint of another algorithm is refused, and finds nothing")
    func algorithm() throws {
        try withTemporaryFolder { folder in
            let index = try FingerprintIndex(at: folder, access: .writing)
            let values = Vector.all[0].values
            let other = try FileFingerprint(values, algorithm: .test4, duration: .zero)
            #expect(throws: EarshotError.self) { try index.add([FingerprintIndex.Entry(id: 1, fingerprint: other)]) }
            try index.add([FingerprintIndex.Entry(id: 1, fingerprint: FileFingerprint(values, duration: .zero))])
            #expect(try index.search(for: other).isEmpty)
        }
    }
}
