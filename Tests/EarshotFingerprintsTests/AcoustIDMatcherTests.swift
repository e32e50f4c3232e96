import EarshotCore
import EarshotFingerprints
import Foundation
import TestSupport
import Testing

@Suite("Which tracks fingerprints are of")
struct AcoustIDMatcherTests {
    private func id(_ number: Int) -> UUID {
        UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012d", number)) ?? UUID()
    }

    private let new = UUID()

    private func candidate(_ track: Int, _ fingerprints: [(UInt64, FileFingerprint)]) -> AcoustIDMatcher.Candidate {
        AcoustIDMatcher.Candidate(
            track: id(track),
            fingerprints: fingerprints.map { (number: $0.0, fingerprint: $0.1) }
        )
    }

    @Test("each track is told once, with its best score, the best first and at most ten")
    func results() throws {
        try withTemporaryFolder { folder in
            var random = SeededGenerator(seed: 5)
            let index = try FingerprintIndex(at: folder.appendingPathComponent("prints"), access: .writing)
            let original = try random.fingerprint(count: 900)
            var entries: [FingerprintIndex.Entry] = []
            for number in 0..<24 {
                let other = try random.damaged(original, bits: Double(number) * 0.25)
                entries.append(FingerprintIndex.Entry(id: UInt64(number), fingerprint: other))
            }
            try index.add(entries)
            var options = FingerprintSearchOptions()
            options.maximumResults = 64
            let matches = try index.search(for: original, options: options)
            #expect(matches.count > 12)
            // Two fingerprints a track; the last has none.
            var tracks: [UInt64: UUID] = [:]
            for number in UInt64(0)..<23 { tracks[number] = id(Int(number / 2)) }
            let results = AcoustIDMatcher.results(matches, tracks: tracks)
            #expect(results.count <= 10)
            #expect(results.first?.track == id(0))
            #expect(results.first?.score == 1)
            #expect(Set(results.map(\.track)).count == results.count)
            #expect(results.map(\.score) == results.map(\.score).sorted(by: >))
            #expect(results.allSatisfy { (0.4...1).contains($0.score) })
            #expect(AcoustIDMatcher.results(matches, tracks: tracks, limit: 2).count == 2)
            #expect(AcoustIDMatcher.results(matches, tracks: [:]).isEmpty)
        }
    }

    @Test("what is like no track begins one, and what is like one joins it")
    func joining() {
        property("a fingerprint begins a track or joins one", rounds: 20) { random in
            let original = try random.fingerprint(count: 900)
            let strange = candidate(1, [(1, try random.fingerprint(count: 900))])
            let like = candidate(2, [(2, try random.damaged(original, bits: 2))])
            let same = candidate(2, [(2, original)])
            return decision(on: original, []) == .begin(new)
                && decision(on: original, [strange]) == .begin(new)
                && decision(on: original, [strange, like]) == .join(id(2), same: nil, absorbing: [])
                // The same again is no other fingerprint.
                && decision(on: original, [same]) == .join(id(2), same: 2, absorbing: [])
        }
    }

    @Test("one fingerprint of a track that is unlike keeps others out, and so do duration, begin and wear")
    func keptOut() {
        property("what keeps fingerprints out", rounds: 20) { random in
            let original = try random.fingerprint(count: 900)
            let like = try random.damaged(original, bits: 1)
            let late = try random.damaged(original, bits: 0, offset: AcoustIDMatcher.mostOffset + 1)
            let longer = try FileFingerprint(like.values, duration: MediaTime(value: 208, timescale: 1))
            // Six bits of thirty-two are too many to join, though a search would find it.
            let worn = try random.damaged(original, bits: 6)
            let mixed = candidate(1, [(1, like), (2, try random.fingerprint(count: 900))])
            return original.similarity(to: worn).score > 0.4
                && [late, longer, worn].allSatisfy {
                    decision(on: original, [candidate(1, [(1, $0)])]) == .begin(new)
                }
                && decision(on: original, [mixed]) == .begin(new)
        }
    }

    @Test("tracks that turn out to be one become the oldest of them")
    func merging() {
        property("tracks become one", rounds: 20) { random in
            let original = try random.fingerprint(count: 900)
            // The oldest is not the likest.
            let (one, two) = (try random.damaged(original, bits: 3), try random.damaged(original, bits: 1))
            let third = candidate(3, [(9, try random.fingerprint(count: 900))])
            let candidates = [candidate(2, [(7, two)]), third, candidate(1, [(4, one), (8, one)])]
            return decision(on: original, candidates) == .join(id(1), same: nil, absorbing: [id(2)])
        }
    }

    private func decision(
        on fingerprint: FileFingerprint,
        _ candidates: [AcoustIDMatcher.Candidate]
    ) -> FingerprintDecision {
        AcoustIDMatcher.decision(on: fingerprint, among: candidates, newTrack: new)
    }

    @Test("silence and tones belong to nothing")
    func refused() throws {
        let tone = try FileFingerprint([UInt32](repeating: 7, count: 900), duration: MediaTime(seconds: 120))
        #expect(decision(on: tone, [candidate(1, [(1, tone)])]) == .refuse)
    }
}
