import EarshotCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension FileFingerprint {
    /// The similarity of two fingerprints.
    public struct Similarity: Hashable, Sendable {
        /// Sub-fingerprints of the first one before the second begins; negative where the second begins earlier.
        public let offset: Int
        /// Pairs of sub-fingerprints compared.
        public let overlap: Int
        /// The part of the shorter fingerprint that was compared, 0 to 1.
        public let share: Double
        /// Bits in which the pairs differ, of 32 each.
        public let bitErrors: Int
        /// 1 for the same, 0 for nothing in common. From about 0.4 on it is the same recording.
        ///
        /// The share, times the proportion of bits that agree beyond the half that agrees by chance, as in AcoustID.
        /// Fingerprints in which few sub-fingerprints repeat have a lower score.
        public let score: Double
    }

    /// The similarity of this fingerprint and another in their best alignment; zero for different algorithms.
    ///
    /// It takes time in proportion to the lengths, some microseconds for two minutes each.
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
