import EarshotCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension FileFingerprint {
    /// The similarity of two fingerprints in their best alignment.
    public struct Similarity: Hashable, Sendable {
        /// The position in the first fingerprint at which the second begins, in sub-fingerprints; negative if the
        /// second begins earlier.
        public let offset: Int
        /// The number of compared pairs of sub-fingerprints.
        public let overlap: Int
        /// The compared fraction of the shorter fingerprint, 0 to 1.
        public let share: Double
        /// The number of bits in which the pairs differ, of 32 in each pair.
        public let bitErrors: Int
        /// The score: 1 for identical fingerprints, 0 for nothing in common. From about 0.4 on both are of the same
        /// recording.
        ///
        /// It is the compared fraction times the proportion of bits that agree beyond the half that agrees by chance,
        /// as in AcoustID. Fingerprints with few different sub-fingerprints have a lower score.
        public let score: Double
    }

    /// Returns the similarity of this fingerprint to another in their best alignment; zero for different algorithms.
    ///
    /// The time is proportional to the durations: some microseconds for two minutes each.
    public func similarity(to other: FileFingerprint) -> Similarity {
        guard algorithm == other.algorithm else {
            return Similarity(offset: 0, overlap: 0, share: 0, bitErrors: 0, score: 0)
        }
        let best = other.values.withUnsafeBufferPointer {
            FingerprintComparison(values).bestAlignment($0, count: $0.count)
        }
        let diversity = min(
            FingerprintComparison.diversity(of: values),
            FingerprintComparison.diversity(of: other.values)
        )
        return Similarity(
            offset: best.offset,
            overlap: best.pairs,
            share: best.share,
            bitErrors: best.bitErrors,
            score: FingerprintComparison.weighed(best.score, diversity: diversity)
        )
    }
}

extension FingerprintComparison {
    /// A score with regard to how different the sub-fingerprints are from each other.
    static func weighed(_ score: Double, diversity: Double) -> Double {
        diversity < 1 ? pow(score, 8 - 7 * diversity) : score
    }
}
