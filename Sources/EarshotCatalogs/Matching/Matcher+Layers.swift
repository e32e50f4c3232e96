import EarshotSignatures

// Several references at once.
extension Matcher {
    /// Searches for a query, then for the rest of it without the landmarks of the references found, until nothing more
    /// is found. Returns all candidates, best first.
    ///
    /// A single search ends when an answer is sure. It does not look for another reference beneath it, or at another
    /// speed.
    func searchThoroughly(_ query: Signature, counting work: inout SearchWork) -> [Candidate] {
        var found = search(query, counting: &work)
        var (hidden, rest) = (targets, query)
        for _ in 1..<parameters.mostLayers {
            let known = Set(found.filter { hidden[$0.segment].removed.contains($0.reference) }.map(\.key))
            let new = found.filter { $0.score >= parameters.threshold && !known.contains($0.key) }
            guard !new.isEmpty else { break }
            rest = without(new, rest)
            for candidate in new { hidden[candidate.segment].removed.insert(candidate.reference) }
            let beneath = Matcher(hidden, parameters: parameters, lanes: lanes).search(rest, counting: &work)
            found += beneath.filter { $0.score >= parameters.threshold }
        }
        return found.byReference()
    }

    /// Returns a query without the landmarks that the candidates explain.
    private func without(_ candidates: [Candidate], _ query: Signature) -> Signature {
        let verifier = Verifier(query.landmarks)
        var isExplained = [Bool](repeating: false, count: query.landmarks.count)
        for candidate in candidates {
            let segment = targets[candidate.segment].segment
            let margin = Landmark.stepsPerSecond
            let window = window(segment, candidate.reference, candidate.alignment, verifier, margin: margin)
            let matched = verifier.matchedLandmarks(on: window, candidate.alignment)
            for index in matched.indices where matched[index] { isExplained[index] = true }
        }
        let rest = Signature(
            configuration: query.configuration,
            duration: query.duration,
            landmarks: query.landmarks.indices.filter { !isExplained[$0] }.map { query.landmarks[$0] },
            bits: query.bits,
            levels: query.levels
        )
        return query.canAddSpectrogram ? rest.withSpectrogramElsewhere() : rest
    }
}
