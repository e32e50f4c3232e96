package import EarshotCore
package import EarshotSignatures

extension Catalog {
    /// Reads the spectrogram of a query at the likeliest reference and at the others that were looked at.
    ///
    /// - Returns: `nil` if the query has no spectrogram, the catalog no bits, or nothing comes near.
    /// - Throws: The errors of ``match(_:isThorough:)``.
    package func contrastEvidence(for query: Signature) throws(EarshotError) -> ContrastEvidence? {
        let (targets, parameters) = (try matchTargets(), MatchingParameters())
        var candidates = try search(query).candidates
        var soft = SoftEvidence(query, in: Matcher(targets, parameters: parameters))
        guard !candidates.isEmpty, soft.isThere() else { return nil }
        if candidates[0].landmarkScore == nil {
            // Landmarks alone were sure, and at most a few places were read.
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
