import EarshotCore

extension Play {
    /// Returns the plays of a single query: one for each part of it in which a reference is heard, in order of time.
    static func plays(of match: Match) -> [Play] {
        let plays = match.references.flatMap { reference in
            parts(of: reference).map { Play(reference, $0.placement, $0.alternatives) }
        }
        return plays.sorted(by: isBefore)
    }

    /// Returns `true` if the first play comes before the second: by start, then by score, higher first.
    static func isBefore(_ first: Play, _ second: Play) -> Bool {
        if first.queryRange.lowerBound != second.queryRange.lowerBound {
            return first.queryRange.lowerBound < second.queryRange.lowerBound
        }
        return first.score != second.score ? first.score > second.score : first.id < second.id
    }

    /// Returns the parts of a query in which a reference is heard, best first, each with the other placements that fit
    /// it.
    private static func parts(
        of reference: ReferenceMatch
    ) -> [(placement: Placement, alternatives: [Placement])] {
        var parts: [(placement: Placement, alternatives: [Placement])] = []
        for occurrence in reference.occurrences {
            if let same = parts.firstIndex(where: { overlap($0.placement.queryRange, occurrence.queryRange) > 0.3 }) {
                parts[same].alternatives.append(occurrence)
            } else {
                parts.append((occurrence, []))
            }
        }
        return parts
    }

    /// Returns the overlap of two ranges as a share of the shorter one.
    private static func overlap(_ first: Range<MediaTime>, _ second: Range<MediaTime>) -> Double {
        let shared = min(first.upperBound, second.upperBound) - max(first.lowerBound, second.lowerBound)
        let shorter = min(first.upperBound - first.lowerBound, second.upperBound - second.lowerBound)
        return shorter > .zero ? shared.seconds / shorter.seconds : 1
    }

    private init(_ reference: ReferenceMatch, _ placement: Placement, _ alternatives: [Placement]) {
        self.init(
            id: reference.id,
            items: reference.items,
            referenceDuration: reference.referenceDuration,
            placement: placement,
            alternatives: alternatives.map(\.offset)
        )
    }
}
