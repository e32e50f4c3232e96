/// The highest reading of a query's map in each reference where it was read.
struct ReferenceReadings: Sendable {
    /// The largest number of readings that a round carries. Further ones would only tell which of many weak references
    /// is the strongest rival.
    static let mostCarried = 64

    private var highest: [Candidate.Key: Double] = [:]
    /// References of other leaves whose bits fit.
    private var fittingElsewhere: Set<Candidate.Key> = []

    /// All readings, highest first.
    var all: [ReferenceReading] {
        highest.map { ReferenceReading(segment: $0.segment, reference: $0.reference, deviations: $1) }
            .sorted { ($1.deviations, $0.segment, $0.reference) < ($0.deviations, $1.segment, $1.reference) }
    }

    /// Merges readings of earlier rounds or other leaves.
    mutating func take(_ readings: some Sequence<ReferenceReading>) {
        for reading in readings where reading.deviations.isFinite {
            take(reading.deviations, of: Candidate.Key(segment: reading.segment, reference: reading.reference))
        }
    }

    /// Remembers the references of other leaves whose bits fit.
    mutating func take(elsewhere candidates: [Candidate], _ parameters: MatchingParameters) {
        fittingElsewhere = Self.references(of: candidates, from: parameters.fittingBits)
    }

    /// Merges one reading of a reference.
    mutating func take(_ deviations: Double, of key: Candidate.Key) {
        highest[key] = max(highest[key] ?? -.infinity, deviations)
    }

    /// Computes the margins of candidates. References that fit by their bits too are copies of each other or share
    /// material, so they are compared with all others but not with each other.
    func weigh(_ candidates: inout [Candidate], _ parameters: MatchingParameters) {
        let fitting = Self.references(of: candidates, from: parameters.fittingBits).union(fittingElsewhere)
        let highest = highest.sorted { $0.value > $1.value }
        for index in candidates.indices {
            guard let contrast = candidates[index].contrast else { continue }
            // Even without another candidate, the best of all places reaches about 2 by chance.
            let own = candidates[index].key
            let isFitting = fitting.contains(own)
            let other = highest.first { $0.key != own && !(isFitting && fitting.contains($0.key)) }
            candidates[index].margin = contrast.deviations - max(2, other?.value ?? 2)
        }
    }

    /// Returns the references that have a candidate whose bits reach a distance from chance, in standard deviations.
    static func references(of candidates: [Candidate], from deviations: Double) -> Set<Candidate.Key> {
        Set(candidates.filter { $0.bitDeviations ?? 0 >= deviations }.map(\.key))
    }

    /// Returns the indices of the four candidates with the highest map.
    static func best(of candidates: [Candidate]) -> [Int] {
        Array(
            candidates.indices.filter { candidates[$0].contrast != nil }
                .sorted { candidates[$0].contrast?.deviations ?? 0 > candidates[$1].contrast?.deviations ?? 0 }.prefix(
                    4
                )
        )
    }

    /// Returns the highest joint score of the best candidates, without those that fit better at another speed or pitch;
    /// 0 if there is none. A recording played faster fits its reference at one moment, and one played higher has the
    /// same rhythm.
    func bestScore(of candidates: [Candidate], _ parameters: MatchingParameters) -> Double {
        bestScore(of: candidates, Self.best(of: candidates), parameters) { candidates[$0].fitsBetterOtherwise ?? false }
    }

    /// Returns the highest joint score of the given candidates.
    ///
    /// - Parameters:
    ///   - first: The indices of the candidates to score.
    ///   - fitsBetterOtherwise: Called with the index of a candidate, only if its score would count.
    func bestScore(
        of candidates: [Candidate],
        _ first: [Int],
        _ parameters: MatchingParameters,
        _ fitsBetterOtherwise: (Int) -> Bool
    ) -> Double {
        var best = first.map { candidates[$0] }
        weigh(&best, parameters)
        return zip(first, best).reduce(0) { highest, pair in
            let score = pair.1.together(leastBits: parameters.leastBits)
            guard score > highest, score >= parameters.likelyScore else { return highest }
            return fitsBetterOtherwise(pair.0) ? highest : score
        }
    }
}
