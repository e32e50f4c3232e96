import EarshotSignatures

// The places of the index that are verified.
extension LeafSearch {
    /// Returns the places to verify: the few with most votes and, among many more, those at which the map stands out.
    /// In noise few keys of the true place are left, and the map tells it from others with as few.
    mutating func places(
        _ lookups: Voting.Lookups,
        under hypothesis: Hypothesis,
        _ effort: Voting.Effort
    ) -> [Touched] {
        let isSifted = effort.sifted > 0 && soft.isThere()
        let wanted = isSifted ? effort.sifted : effort.places
        var each = effort
        each.places = wanted
        var places = lanes.places(for: lookups, span: span, speed: hypothesis.speed, effort: each)
        if targets.count > 1 {
            var count = places.count
            if case .triplets = lookups { count = wanted }
            places = Self.best(count, of: places)
        }
        var (touched, rest): ([Touched], [Touched]) = ([], [])
        for (rank, (index, place)) in places.enumerated() {
            for reference in references(at: place, under: hypothesis, in: index) {
                let frame = place.frame - targets[index].segment.records[reference].firstFrame
                let one = Touched(
                    segment: index,
                    reference: reference,
                    votes: place.votes,
                    guess: Alignment(
                        offset: Double(frame * Landmark.stepsPerFrame),
                        speed: hypothesis.speed,
                        pitch: hypothesis.pitch * Double(Landmark.stepsPerBin)
                    )
                )
                if !isSifted || rank < parameters.unsiftedPlaces { touched.append(one) } else { rest.append(one) }
            }
        }
        let deviations = Lanes.map(rest, lanes: matcher.lanes) { [self] in
            soft.deviations(of: $0.segment, $0.reference, near: $0.guess) ?? -.infinity
        }
        let others = zip(rest, deviations).filter { $0.1 >= parameters.leastSifted }.sorted { $0.1 > $1.1 }
        return touched + others.prefix(2 * effort.places).map(\.0)
    }

    /// A place with votes, and a reference that the query would overlap there.
    struct Touched {
        var segment: Int
        var reference: Int
        var votes: Int
        var guess: Alignment
    }

    /// Returns the places with most votes over all segments, and in any case the best two of each segment. Votes weigh
    /// by the rarity of a key, which a small segment estimates less exactly.
    private static func best(
        _ count: Int,
        of places: [(segment: Int, place: Voting.Place)]
    ) -> [(segment: Int, place: Voting.Place)] {
        var taken: [Int: Int] = [:]
        var kept: [(segment: Int, place: Voting.Place)] = []
        for place in places.sorted(by: { $0.place.votes > $1.place.votes })
        where kept.count < count || taken[place.segment, default: 0] < 2 {
            taken[place.segment, default: 0] += 1
            kept.append(place)
        }
        return kept
    }

    /// Returns the references that the query would overlap if it began at a place, at most 8.
    private func references(
        at place: Voting.Place,
        under hypothesis: Hypothesis,
        in index: Int
    ) -> [Int] {
        let records = targets[index].segment.records
        let end = place.frame + Int(Double(steps) * hypothesis.speed) / Landmark.stepsPerFrame
        let first = records.partitioningIndex { $0.frames.upperBound > place.frame }
        var touched: [Int] = []
        var number = first
        while number < records.count, records[number].firstFrame <= end, touched.count < 8 {
            if !targets[index].removed.contains(number) { touched.append(number) }
            number += 1
        }
        return touched
    }

    /// Verifies a place; `nil` if too little of the query fits.
    func verify(_ place: Touched, _ hypothesis: Hypothesis) -> Candidate? {
        let (segment, reference, guess) = (targets[place.segment].segment, place.reference, place.guess)
        let window = matcher.window(segment, reference, guess, verifier, margin: Landmark.stepsPerSecond)
        let alignment = verifier.refine(guess, on: window)
        let tally = verifier.tally(on: window, alignment)
        guard tally.inside >= Verifier.leastInside, tally.matched >= 6, SearchRange.contains(alignment) else {
            return nil
        }
        return Candidate(
            segment: place.segment,
            reference: reference,
            alignment: alignment,
            votes: place.votes,
            inside: tally.inside,
            matched: tally.matched,
            evidence: 0,
            tried: 1,
            score: matcher.fit(tally),
            span: 0...0
        )
    }
}
