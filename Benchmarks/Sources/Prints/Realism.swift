import BenchmarkSupport
import EarshotCore
import EarshotFingerprints

/// Holds made-up fingerprints against real ones.
struct Realism {
    private let real: [[UInt32]]
    private let madeUp: [[UInt32]]

    init(_ originals: [FileFingerprint], _ synthesis: FingerprintSynthesis) {
        // Without the value of silence, which no term of the index has.
        real = originals.map { $0.values.filter { $0 != 627_964_279 } }
        // Numbers that no index has.
        madeUp = (0..<originals.count).compactMap { try? synthesis.fingerprint(1 << 40 + $0).values }
    }

    func report() {
        Output.table([
            [
                "", "bits between neighbours", "equal neighbours", "commonest of 24 bits",
                "two of different tracks are equal",
            ],
            row("real", real), row("made up", madeUp),
        ])
    }

    private func row(_ name: String, _ fingerprints: [[UInt32]]) -> [String] {
        var (bits, equal, pairs) = (0, 0, 0)
        var counts: [UInt32: Int] = [:]
        var within = 0.0
        var total = 0
        for values in fingerprints {
            for (value, next) in zip(values, values.dropFirst()) {
                bits += (value ^ next).nonzeroBitCount
                equal += value == next ? 1 : 0
                pairs += 1
            }
            var own: [UInt32: Int] = [:]
            for value in values { own[value >> 8, default: 0] += 1 }
            for (term, count) in own {
                counts[term, default: 0] += count
                within += Double(count * count)
            }
            total += values.count
        }
        let all = counts.values.reduce(0.0) { $0 + Double($1 * $1) }
        let squares = fingerprints.reduce(0.0) { $0 + Double($1.count * $1.count) }
        let chance = (all - within) / (Double(total) * Double(total) - squares)
        return [
            name, Output.number(Double(bits) / Double(max(1, pairs))),
            Output.percent(Double(equal) / Double(max(1, pairs))),
            Output.percent(Double(counts.values.max() ?? 0) / Double(max(1, total)), 3),
            "\(Output.number(chance * 1e6, 2)) in a million",
        ]
    }
}
