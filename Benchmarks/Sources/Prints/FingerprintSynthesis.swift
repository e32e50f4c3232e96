import BenchmarkSupport
import EarshotCore
import EarshotFingerprints

/// Makes fingerprints that are nobody's music out of those of real music.
///
/// A sub-fingerprint is sixteen measures of two bits each, of bands of the spectrum. A made-up fingerprint takes its measures in
/// two groups, each from stretches of another real fingerprint, 5 to 20 s long: so the measures of a group go together and
/// change in time as they do in music, and how often sub-fingerprints repeat and which are common stays about as it is, while
/// no two made-up ones are alike.
struct FingerprintSynthesis: Sendable {
    /// Sub-fingerprints of two minutes.
    private static let length = 948

    private let sources: [[UInt32]]
    private let seed: UInt64

    init(_ originals: [FileFingerprint], seed: UInt64) throws {
        sources = originals.map(\.values).filter { $0.count >= 300 }
        self.seed = seed
        guard sources.count >= 10 else { throw Failure("At least ten real fingerprints of 40 seconds are wanted.") }
    }

    /// The made-up fingerprint of a number; the same number and seed give the same one.
    func fingerprint(_ number: Int) throws -> FileFingerprint {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number))
        var values = [UInt32](repeating: 0, count: Self.length)
        let border = random.integer(in: 5..<12)
        for group in [0..<border, border..<16] {
            let mask = group.reduce(UInt32(0)) { $0 | 3 << UInt32(2 * $1) }
            var place = 0
            while place < Self.length {
                let source = sources[random.integer(in: 0..<sources.count)]
                let wanted = min(random.integer(in: 40..<160), Self.length - place)
                let start = random.integer(in: 0..<source.count - min(wanted, source.count - 1))
                let piece = source[start..<min(source.count, start + wanted)]
                for (index, value) in piece.enumerated() { values[place + index] |= value & mask }
                place += piece.count
            }
        }
        // Most tracks last three to five minutes.
        let milliseconds = 90_000 + (0..<4).reduce(0) { sum, _ in sum + random.integer(in: 0..<80_000) }
        return try FileFingerprint(values, duration: MediaTime(value: Int64(milliseconds), timescale: 1000))
    }
}
