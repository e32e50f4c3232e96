import BenchmarkSupport
import EarshotCore
import EarshotFingerprints

/// Asks an index for what it has, for the same with the damage of other encodings, and for what it has not.
struct QueryRun {
    /// The bits that another encoding has changed in each sub-fingerprint of a real fingerprint.
    private typealias Damage = [UInt32]

    private let index: FingerprintIndex
    private let originals: [FileFingerprint]
    private let synthesis: FingerprintSynthesis
    private let encoded: [(fingerprint: FileFingerprint, original: Int)]
    private let damages: [Damage]
    private let count: Int

    init(
        _ index: FingerprintIndex,
        _ originals: [FileFingerprint],
        _ synthesis: FingerprintSynthesis,
        damaged: [FileFingerprint],
        count: Int
    ) {
        self.index = index
        self.originals = originals
        self.synthesis = synthesis
        self.count = count
        var encoded: [(FileFingerprint, Int)] = []
        var damages: [Damage] = []
        for fingerprint in damaged {
            let scores = originals.map { $0.similarity(to: fingerprint) }
            guard let best = scores.indices.max(by: { scores[$0].score < scores[$1].score }), scores[best].score > 0.5
            else { continue }
            encoded.append((fingerprint, best))
            let offset = scores[best].offset
            let pairs = zip(
                originals[best].values.dropFirst(max(0, offset)),
                fingerprint.values.dropFirst(max(0, -offset))
            )
            damages.append(pairs.map { $0 ^ $1 })
        }
        self.encoded = encoded
        self.damages = damages.filter { $0.count > 100 }
    }

    func report(queries: Int) throws {
        var random = SeededGenerator(seed: 7)
        let numbers = (0..<queries).map { _ in random.integer(in: min(originals.count, count - 1)..<count) }
        let known = try numbers.map { ($0, try synthesis.fingerprint($0)) }
        var rows = [
            ["query", "queries", "found", "ms of CPU, mean", "median", "95 %", "worst", "ms by the clock", "score"]
        ]
        rows.append(try row("as it is in the index", known))
        if !damages.isEmpty {
            rows.append(
                try row(
                    "the same, damaged as by another encoding",
                    try known.map { number, fingerprint in
                        (
                            number,
                            try Self.damage(fingerprint, by: damages[random.integer(in: 0..<damages.count)], &random)
                        )
                    }
                )
            )
            rows.append(try row("real music in another encoding", encoded.map { ($0.original, $0.fingerprint) }))
        }
        rows.append(
            try row(
                "the same, one bit of every term wrong",
                try known.map { number, fingerprint in
                    let values = fingerprint.values.map { $0 ^ 1 << UInt32(random.integer(in: 8..<32)) }
                    return (number, try FileFingerprint(values, duration: fingerprint.duration))
                }
            )
        )
        let absent = try (0..<queries).map { (-1, try synthesis.fingerprint(1 << 41 + $0)) }
        rows.append(try row("not in the index", absent))
        Output.table(rows)
    }

    private static func damage(
        _ fingerprint: FileFingerprint,
        by damage: Damage,
        _ random: inout SeededGenerator
    ) throws -> FileFingerprint {
        let start = random.integer(in: 0..<damage.count)
        let values = fingerprint.values.enumerated().map { $1 ^ damage[(start + $0) % damage.count] }
        return try FileFingerprint(values, duration: fingerprint.duration)
    }

    private func row(_ name: String, _ queries: [(number: Int, fingerprint: FileFingerprint)]) throws -> [String] {
        // Once without measuring, so that what is measured is the search and not the disk.
        for query in queries { _ = try index.search(for: query.fingerprint) }
        var (times, clock, scores) = ([Double](), 0.0, [Double]())
        var found = 0
        for query in queries {
            let start = ProcessorTime.nowOfThread
            let matches = try index.search(for: query.fingerprint)
            let used = ProcessorTime.nowOfThread - start
            times.append(used.processor * 1000)
            clock += used.wall * 1000
            // The real fingerprints may hold one recording twice.
            let isFound = query.number < 0 ? !matches.isEmpty : matches.contains { $0.id == UInt64(query.number) }
            if isFound { found += 1 }
            if let first = matches.first { scores.append(first.score) }
        }
        times.sort()
        return [
            name, "\(queries.count)", "\(found)", Output.number(Output.mean(times), 3),
            Output.number(Output.quantile(times, 0.5), 3), Output.number(Output.quantile(times, 0.95), 3),
            Output.number(times.last ?? 0, 3), Output.number(clock / Double(max(1, queries.count)), 3),
            Output.number(Output.mean(scores)),
        ]
    }
}
