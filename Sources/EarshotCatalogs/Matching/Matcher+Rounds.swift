import EarshotSignatures

// A search in which other leaves have segments too.
extension Matcher {
    /// Answers a round. The segments in the answer have the numbers of this matcher; see ``renumber(_:)``.
    func answer(_ round: SearchRound, to query: Signature) -> RoundAnswer {
        var answer = RoundAnswer(segments: Array(targets.indices))
        guard !isWhole else {
            answer.candidates = search(query, counting: &answer.work)
            answer.isLast = true
            return answer
        }
        guard var leaf = LeafSearch(query, in: self, chance: round.chance) else { return answer }
        let carried = own(round.carried.filter(\.isSound), \.segment, \.reference)
        leaf.take(
            carried.own.map(\.byLandmarks),
            elsewhere: carried.others.map(\.byLandmarks),
            own(round.readings, \.segment, \.reference).all
        )
        _ = leaf.look(round)
        answer.candidates = Array(leaf.finish().prefix(SearchRound.mostCandidates))
        answer.readings = Array(
            leaf.soft.readings.all.lazy.filter { $0.segment >= 0 }.prefix(ReferenceReadings.mostCarried)
        )
        answer.work = leaf.work
        if round.chance == nil, query.hasSpectrogram, totals.hasBits {
            answer.draws = ChanceDraws(
                map: ContrastReader.map(of: query).map { ContrastReader.draws($0, targets, parts, totals.frameCount) }
                    ?? [],
                bits: DenseBitReader.draws(query, targets, parts, totals.frameCount)
            )
        }
        return answer
    }

    /// Replaces the segment numbers of an answer by those in the whole catalog.
    func renumber(_ answer: inout RoundAnswer) {
        answer.segments = parts.map(\.segment)
        for index in answer.candidates.indices {
            answer.candidates[index].segment = parts[answer.candidates[index].segment].segment
        }
        for index in answer.readings.indices {
            answer.readings[index].segment = parts[answer.readings[index].segment].segment
        }
        for index in answer.references.indices {
            answer.references[index].segment = parts[answer.references[index].segment].segment
        }
    }

    /// Replaces the segment numbers of what a round carries by those of this matcher. Segments of other leaves get
    /// negative numbers.
    private func own<Element>(
        _ carried: [Element],
        _ segment: WritableKeyPath<Element, Int>,
        _ reference: KeyPath<Element, Int>
    ) -> (own: [Element], others: [Element], all: [Element]) {
        let numbers = Dictionary(parts.enumerated().map { ($1.segment, $0) }) { first, _ in first }
        var (own, others): ([Element], [Element]) = ([], [])
        for element in carried where (0..<totals.segmentCount).contains(element[keyPath: segment]) {
            var element = element
            if let number = numbers[element[keyPath: segment]] {
                let count = targets[number].segment.referenceCount
                guard (0..<count).contains(element[keyPath: reference]),
                    !targets[number].removed.contains(element[keyPath: reference])
                else { continue }
                element[keyPath: segment] = number
                own.append(element)
            } else {
                element[keyPath: segment] = -1 - element[keyPath: segment]
                others.append(element)
            }
        }
        return (own, others, own + others)
    }
}
