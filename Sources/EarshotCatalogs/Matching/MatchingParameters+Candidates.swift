// Decisions about candidates.
extension MatchingParameters {
    func isAnswer(_ candidate: Candidate) -> Bool { candidate.score >= threshold }

    /// Returns `true` if a candidate is certain enough to end the search. A recording at another speed may match by a
    /// short part of itself under the unchanged hypothesis; its evidence is then weak.
    func isSure(_ candidate: Candidate) -> Bool {
        isAnswer(candidate) && candidate.evidence >= sureEvidence * Double(candidate.inside)
    }

    /// Returns `true` if landmarks alone leave no doubt.
    func isClear(_ candidate: Candidate) -> Bool { candidate.score >= clearScore && isSure(candidate) }

    /// Returns `true` if the first look is enough: its best answer is clear, and less than half of the looked-at places
    /// are answers. Otherwise there may be more, because many references may have the same recording.
    func isEnough(_ found: [Candidate]) -> Bool {
        let isClear = found.contains { isAnswer($0) && $0.evidence >= clearEvidence * Double($0.inside) }
        // Other places of the same reference are searched for later.
        let answered = Set(found.filter(isAnswer).map(\.key))
        return isClear && answered.count * 2 < quickPlaces
    }

    /// Returns the indices of places in the same reference that fit nearly as well as its best.
    func alike(_ first: Candidate, among places: [Candidate]) -> [Int] {
        places.indices.filter { places[$0].key == first.key && places[$0].evidence > 0.7 * first.evidence }
    }
}
