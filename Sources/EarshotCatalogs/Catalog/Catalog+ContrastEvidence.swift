package import EarshotCore
package import EarshotSignatures

extension Catalog {
    /// Reads the spectrogram of a query at the likeliest reference and at all other candidates of its search.
    ///
    /// - Returns: `nil` if the query has no spectrogram, the catalog has no bits, or the search has no candidate.
    /// - Throws: The errors of ``match(_:isThorough:)``.
    package func contrastEvidence(for query: Signature) throws(EarshotError) -> ContrastEvidence? {
        let (targets, parameters) = (try matchTargets(), MatchingParameters())
        var candidates = try search(query).candidates
        var soft = SoftEvidence(query, in: Matcher(targets, parameters: parameters))
        guard !candidates.isEmpty, soft.isThere() else { return nil }
        if candidates[0].landmarkScore == nil {
            // The search stopped at landmarks that were sure, so the map was read at few places or none.
            for index in candidates.indices {
                candidates[index].contrast = nil
                soft.read(&candidates[index])
            }
            soft.read(&candidates)
        }
        let first = candidates[0]
        guard let reading = first.contrast, let id = targets[first.segment].segment.id(first.reference),
            let (map, marks) = soft.marks(of: first, reading.alignment)
        else { return nil }
        var highest: [Candidate.Key: Double] = [:]
        for candidate in candidates {
            guard let deviations = candidate.contrast?.deviations else { continue }
            highest[candidate.key] = max(highest[candidate.key] ?? -.infinity, deviations)
        }
        let standings = highest.compactMap { key, deviations in
            targets[key.segment].segment.id(key.reference).map {
                ContrastEvidence.Standing(id: $0, deviations: deviations)
            }
        }
        return ContrastEvidence(
            map: map,
            best: id,
            marks: marks,
            references: standings.sorted { ($1.deviations, $0.id.rawValue) < ($0.deviations, $1.id.rawValue) },
            margin: first.margin,
            bits: first.bitDeviations,
            landmarkScore: first.landmarkScore ?? first.score,
            score: first.score,
            leastBits: parameters.leastBits,
            threshold: parameters.threshold
        )
    }
}
