import EarshotCore
import EarshotSignatures

// Bounds for data from another machine. Single candidates, readings and measures are checked where they are used.

extension SearchTotals {
    /// A bound above any real number of frames, postings or references.
    private static let most = 1 << 48

    fileprivate var isPossible: Bool {
        [frameCount, postingCount, segmentCount, referenceCount].allSatisfy { (0...Self.most).contains($0) }
    }
}

extension SearchRound {
    /// The largest number of readings in a round.
    fileprivate static let mostReadings = 1 << 16

    /// Returns `true` if the numbers are in the range of those that a root sends.
    package var isPossible: Bool {
        totals.isPossible && carried.count <= Self.mostCandidates && readings.count <= Self.mostReadings
    }
}

extension RoundAnswer {
    /// Returns `true` if the numbers are in the range of those that a leaf sends.
    ///
    /// - Parameter asked: The segments that the leaf was asked for.
    package func isPossible(asked: Set<Int>) -> Bool {
        let counts = [
            candidates.count, references.count, draws?.map.count ?? 0, draws?.bits.count ?? 0, readings.count,
        ]
        return segments.allSatisfy(asked.contains) && Set(segments).count == segments.count
            && counts.allSatisfy { $0 <= SearchRound.mostReadings }
            // Sums over all leaves must not overflow.
            && [work.lookups, work.blocksRead, work.hits].allSatisfy { (0...(1 << 48)).contains($0) }
            && references.allSatisfy { found in
                found.duration.isNumeric && found.duration >= .zero && found.duration <= Signature.maximumDuration
            }
    }
}
