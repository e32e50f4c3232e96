import EarshotCore

extension Play {
    /// The plays of a single query: one for each part of it in which a reference is heard.
    static func plays(of match: Match) -> [Play] {
        let plays = match.references.flatMap { reference in
            parts(of: reference).map { Play(reference, $0.placement, $0.alternatives) }
        }
        return plays.sorted(by: isBefore)
    }

    /// In order of the recording; of plays that begin together the surer one first.
    static func isBefore(_ first: Play, _ second: Play) -> Bool {
        if first.queryRange.lowerBound != second.queryRange.lowerBound {
            return first.queryRange.lowerBound < second.queryRange.lowerBound
        }
        return first.score != second.score ? first.score > second.score : first.id < second.id
    }

    /// The parts of a query in which a reference is heard, best first, and for each the other places that fit it.
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

    /// The overlap of two ranges, as a part of the shorter.
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
