import EarshotSignatures

// The order of places and references in a result.
extension [Candidate] {
    /// Sorts places by the best score of their reference; places of one reference keep their order.
    func byReference() -> [Candidate] {
        var best: [Candidate.Key: Double] = [:]
        for candidate in self {
            let key = candidate.key
            best[key] = Swift.max(best[key] ?? -.infinity, candidate.score)
        }
        return enumerated().sorted {
            let left = best[$0.element.key] ?? 0
            let right = best[$1.element.key] ?? 0
            if left != right { return left > right }
            return $0.offset < $1.offset
        }.map(\.element)
    }

    /// Removes places of a reference that contradict its best one. A query has one speed and one pitch; a place at
    /// another that fits far less fits by chance.
    func consistent() -> [Candidate] {
        var best: [Candidate.Key: Candidate] = [:]
        return filter { candidate in
            let key = candidate.key
            guard let first = best[key] else {
                best[key] = candidate
                return true
            }
            let isAlike =
                abs(first.alignment.speed - candidate.alignment.speed) < 0.01
                && abs(first.alignment.pitch - candidate.alignment.pitch) < Double(Landmark.stepsPerBin)
            return isAlike || candidate.fit > 0.5 * first.fit
        }
    }
}
