import EarshotSignatures

// Merging of candidates that are the same place.
extension Matcher {
    /// Returns one candidate for each place, best fit first; equal ones in order of adding.
    func distinct(_ candidates: [Candidate], length: Double, by fit: KeyPath<Candidate, Double>) -> [Candidate] {
        // Places of a reference that repeats itself differ little, so the fit of every landmark counts.
        let sorted = candidates.sorted {
            let (left, right) = ($0[keyPath: fit], $1[keyPath: fit])
            if left != right { return left > right }
            return ($0.segment, $0.reference, $0.alignment.offset) < ($1.segment, $1.reference, $1.alignment.offset)
        }
        var kept: [Candidate] = []
        for candidate in sorted {
            // The same place, found twice: from neighboring cells or under neighboring hypotheses.
            let known = kept.firstIndex {
                $0.segment == candidate.segment && $0.reference == candidate.reference
                    && isSamePlace($0.alignment, candidate.alignment, length: length)
            }
            if let known {
                // The matching part is known for answers only.
                if candidate.score > kept[known].score {
                    if !parameters.isAnswer(kept[known]) { kept[known].span = candidate.span }
                    kept[known].score = candidate.score
                }
            } else {
                kept.append(candidate)
            }
        }
        return kept
    }

    /// Returns `true` if two alignments meet nearly, at some moment of the query. Under a wrong speed a short part of a
    /// recording fits where the lines of the wrong and the right alignment cross.
    private func isSamePlace(_ first: Alignment, _ second: Alignment, length: Double) -> Bool {
        let begin = first.offset - second.offset
        let end = begin + (first.speed - second.speed) * length
        return min(abs(begin), abs(end)) < 0.4 * Double(Landmark.stepsPerSecond) || (begin < 0) != (end < 0)
    }
}
