import EarshotCore

/// A fingerprint made ready to be looked up in any number of segments.
struct FingerprintQuery {
    /// Postings that are read at once; the rarest terms come first. More cost time and find no more.
    static let postingBudget = 200_000
    /// Postings that are read of one segment in any case, however small its share of all fingerprints is: lists are read in whole
    /// blocks.
    static let leastBudget = 50_000
    /// Fingerprints of a segment that are compared.
    static let mostCompared = 64
    /// Terms of which neighbours in two bits are looked up.
    static let secondNeighbourTerms = 8

    let algorithm: FileFingerprint.Algorithm
    let terms: [UInt32]
    let comparison: FingerprintComparison
    let diversity: Double
    let milliseconds: ClosedRange<UInt32>
    let options: FingerprintSearchOptions

    init(_ fingerprint: FileFingerprint, _ options: FingerprintSearchOptions) {
        algorithm = fingerprint.algorithm
        let values = Array(fingerprint.values.prefix(FingerprintSegmentFormat.mostValues))
        terms = FingerprintTerms.terms(of: values)
        comparison = FingerprintComparison(values)
        diversity = FingerprintComparison.diversity(of: values)
        let middle = Int64(FingerprintSegmentWriter.milliseconds(fingerprint.duration))
        let reach = Int64(options.durationDifference) * 1000
        milliseconds = UInt32(clamping: middle - reach)...UInt32(clamping: middle + reach)
        self.options = options
    }

    /// Postings that are read of a segment with some of all fingerprints. Of an equal share of the lists an equal share is read, so that
    /// the same terms are looked up in every segment as in one that has all.
    static func budget(_ documents: Int, of all: Int) -> Int {
        max(leastBudget, Int(Double(postingBudget) * Double(documents) / Double(max(1, all))))
    }

    /// The terms that differ from the query's own in one bit.
    var neighbours: [UInt32] { unique(terms.flatMap(FingerprintTerms.neighbours)) }

    /// Those that differ in two bits, of some of the query's own spread over all.
    var secondNeighbours: [UInt32] {
        let step = max(1, terms.count / Self.secondNeighbourTerms)
        let chosen = stride(from: 0, to: terms.count, by: step).prefix(Self.secondNeighbourTerms).map { terms[$0] }
        return unique(chosen.flatMap(FingerprintTerms.secondNeighbours))
    }

    private func unique(_ terms: [UInt32]) -> [UInt32] {
        var sorted = terms.sorted()
        var kept = 0
        for term in sorted where kept == 0 || sorted[kept - 1] != term {
            sorted[kept] = term
            kept += 1
        }
        sorted.removeLast(sorted.count - kept)
        return sorted
    }
}
