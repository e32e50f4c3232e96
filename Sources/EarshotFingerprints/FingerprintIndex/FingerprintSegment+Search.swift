import EarshotCore

extension FingerprintSegment {
    /// The fingerprints of the segment that fit a query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - terms: Its terms, or such as are like them.
    ///   - removed: Fingerprints that count as not being there.
    ///   - budget: Postings that are read, more or less.
    func matches(
        _ query: FingerprintQuery,
        terms: [UInt32],
        removed: Set<UInt32>,
        budget: Int = FingerprintQuery.postingBudget
    ) -> [FingerprintMatch] {
        guard query.algorithm == algorithm, documentCount > 0 else { return [] }
        let candidates = candidates(query, terms: terms, removed: removed, budget: budget)
        return candidates.compactMap { match(query, number: Int($0)) }
    }

    /// The fingerprints that share the most terms.
    private func candidates(
        _ query: FingerprintQuery,
        terms: [UInt32],
        removed: Set<UInt32>,
        budget: Int
    ) -> [UInt32] {
        // The fewer blocks a list has, the more it says that a fingerprint stands in it.
        var lists: [(term: UInt32, blocks: Range<Int>)] = []
        for term in terms {
            let blocks = blocks(of: term)
            if !blocks.isEmpty { lists.append((term, blocks)) }
        }
        lists.sort { ($0.blocks.count, $0.term) < ($1.blocks.count, $1.term) }
        var left = budget
        let counter = HitCounter(expected: min(left / 4, lists.count * FingerprintSegmentFormat.blockSize / 4))
        for list in lists {
            forEachDocument(of: list.term, in: list.blocks) { counter.add($0) }
            left -= list.blocks.count * FingerprintSegmentFormat.blockSize
            if left <= 0 { break }
        }
        return counter.best(FingerprintQuery.mostCompared) { number in
            // A damaged posting may name any number.
            Int(number) < documentCount && query.milliseconds.contains(milliseconds(Int(number)))
                && !removed.contains(number)
        }
    }

    /// The fit of one fingerprint; `nil` if it does not fit well enough.
    private func match(_ query: FingerprintQuery, number: Int) -> FingerprintMatch? {
        guard let record = record(number) else { return nil }
        let alignment = withValues(record) {
            query.comparison.bestAlignment(
                $0,
                step: FingerprintSegmentFormat.step,
                count: min(record.count, FingerprintSegmentFormat.mostValues)
            )
        }
        let score = FingerprintComparison.weighed(alignment.score, diversity: query.diversity)
        guard score >= query.options.minimumScore else { return nil }
        let interval = algorithm.interval
        return FingerprintMatch(
            id: record.id,
            score: score,
            duration: MediaTime(value: Int64(record.milliseconds), timescale: 1000),
            offset: MediaTime(value: interval.value * Int64(alignment.offset), timescale: interval.timescale)
        )
    }
}
