/// The highest reading of a query's map in each reference where it was read.
struct ReferenceReadings: Sendable {
    /// Readings that a round carries, at most. More only say which of many weak references is the strongest rival.
    static let mostCarried = 64

    private var highest: [Candidate.Key: Double] = [:]
    /// References of other leaves that fit by their bits.
    private var fittingElsewhere: Set<Candidate.Key> = []

    /// All readings, highest first.
    var all: [ReferenceReading] {
        highest.map { ReferenceReading(segment: $0.segment, reference: $0.reference, deviations: $1) }
            .sorted { ($1.deviations, $0.segment, $0.reference) < ($0.deviations, $1.segment, $1.reference) }
    }

    /// Takes what was read before or elsewhere.
    mutating func take(_ readings: some Sequence<ReferenceReading>) {
        for reading in readings where reading.deviations.isFinite {
            take(reading.deviations, of: Candidate.Key(segment: reading.segment, reference: reading.reference))
        }
    }

    /// Takes candidates of other leaves.
    mutating func take(elsewhere candidates: [Candidate], _ parameters: MatchingParameters) {
        fittingElsewhere = Self.references(of: candidates, from: parameters.fittingBits)
    }

    /// Takes a reading.
    mutating func take(_ deviations: Double, of key: Candidate.Key) {
        highest[key] = max(highest[key] ?? -.infinity, deviations)
    }

    /// Works out margins. Of references that fit by their bits too, one is a copy of another or shares something with it: they do not
    /// speak against each other, but against all others.
    func weigh(_ candidates: inout [Candidate], _ parameters: MatchingParameters) {
        let fitting = Self.references(of: candidates, from: parameters.fittingBits).union(fittingElsewhere)
        let highest = highest.sorted { $0.value > $1.value }
        for index in candidates.indices {
            guard let contrast = candidates[index].contrast else { continue }
            // Even without another candidate, chance reaches so much somewhere.
            let own = candidates[index].key
            let isFitting = fitting.contains(own)
            let other = highest.first { $0.key != own && !(isFitting && fitting.contains($0.key)) }
            candidates[index].margin = contrast.deviations - max(2, other?.value ?? 2)
        }
    }

    /// References with a candidate whose bits stand so far above chance.
    static func references(of candidates: [Candidate], from deviations: Double) -> Set<Candidate.Key> {
        Set(candidates.filter { $0.bitDeviations ?? 0 >= deviations }.map(\.key))
    }

    /// The candidates in which the map is highest, of which the best score is taken.
    static func best(of candidates: [Candidate]) -> [Int] {
        Array(
            candidates.indices.filter { candidates[$0].contrast != nil }
                .sorted { candidates[$0].contrast?.deviations ?? 0 > candidates[$1].contrast?.deviations ?? 0 }.prefix(
                    4
                )
        )
    }

    /// The highest score of the best candidates that no other speed or pitch about its middle fits better; 0 if there is none. A
    /// recording played faster fits its reference about one moment, and one played higher has the same rhythm.
    func bestScore(of candidates: [Candidate], _ parameters: MatchingParameters) -> Double {
        bestScore(of: candidates, Self.best(of: candidates), parameters) { candidates[$0].fitsBetterOtherwise ?? false }
    }

    /// - Parameter fitsBetterOtherwise: Of a candidate, by its index; called only where it counts.
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
