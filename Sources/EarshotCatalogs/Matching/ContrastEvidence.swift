package import EarshotCore
package import EarshotSignatures

/// What the spectrogram of a query says about the likeliest reference, for pictures of it.
package struct ContrastEvidence: Sendable {
    /// A landmark of the reference where it falls on the query.
    package struct Mark: Hashable, Sendable {
        /// When it would be heard in the query, in seconds.
        package let time: Double
        /// Where it stands on the frequency axis of the query, in bins.
        package let bin: Double
        /// How far the map stands above chance there, in standard deviations.
        package let deviations: Double
    }

    /// How far the map stands above chance at the best place of a reference, in standard deviations.
    package struct Standing: Hashable, Sendable {
        package let id: ReferenceID
        package let deviations: Double
    }

    package let map: ContrastMap
    /// The likeliest reference, answered or not.
    package let best: ReferenceID
    /// Its landmarks.
    package let marks: [Mark]
    /// The references that were looked at, those with the highest map first.
    package let references: [Standing]
    /// How much further the map stands out at the best than at every other, in standard deviations.
    package let margin: Double
    /// The distance of the bits from chance, in standard deviations; `nil` if they were not read.
    package let bits: Double?
    /// What the landmarks say alone, in nats.
    package let landmarkScore: Double
    /// What all say together, in nats.
    package let score: Double
    /// The bits and the score that an answer needs.
    package let leastBits: Double
    package let threshold: Double
}

extension Catalog {
    /// Reads the spectrogram of a query at the likeliest reference and at the others that were looked at.
    ///
    /// - Returns: `nil` if the query has no spectrogram, the catalog no bits, or nothing comes near.
    /// - Throws: As ``match(_:)``.
    package func contrastEvidence(for query: Signature) throws(EarshotError) -> ContrastEvidence? {
        let (targets, parameters) = (try matchTargets(), MatchingParameters())
        var candidates = try search(query).candidates
        var soft = SoftEvidence(query, targets: targets, parameters: parameters)
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
