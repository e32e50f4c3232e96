import EarshotSignatures

/// The state of a search in one leaf: data computed once for the query, and the candidates found so far.
struct LeafSearch {
    let matcher: Matcher
    let verifier: Verifier
    var soft: SoftEvidence
    /// The candidates of all looks since the last quick or full one, in the order in which they were found.
    private(set) var found: [Candidate] = []
    /// Candidates of other leaves.
    private var others: [Candidate] = []
    private let query: Signature
    private let landmarks: [Landmark]
    let steps: Int
    private var keys: QueryKeys?
    private var strongKeys: QueryKeys?
    var lanes: VotingLanes
    private var keyCount = 0

    var parameters: MatchingParameters { matcher.parameters }
    var targets: [MaskedSegment] { matcher.targets }
    /// `true` if keys of two landmarks are looked up. A larger catalog is searched by all three.
    private var isByPairs: Bool { matcher.totals.postingCount <= parameters.pairLimit }

    /// Creates a search.
    ///
    /// - Returns: `nil` if the query has too few landmarks.
    init?(_ query: Signature, in matcher: Matcher, chance: SearchChance? = nil) {
        landmarks = query.thinned(to: matcher.parameters.queryDensity).landmarks
        guard landmarks.count >= Verifier.leastInside else { return nil }
        (self.query, self.matcher) = (query, matcher)
        verifier = Verifier(landmarks)
        steps = Int(landmarks.last?.time ?? 0)
        soft = SoftEvidence(query, in: matcher, chance: chance)
        lanes = VotingLanes(matcher)
    }

    /// The amount of the index that was read since the start.
    var work: SearchWork {
        var work = lanes.work
        work.keys = keyCount
        return work
    }

    // MARK: - Rounds

    /// Takes over the results of earlier rounds: candidates of these segments, candidates of other leaves, and readings
    /// of the map.
    mutating func take(_ candidates: [Candidate], elsewhere others: [Candidate], _ readings: [ReferenceReading]) {
        (found, self.others) = (candidates, others)
        soft.take(readings, elsewhere: others)
    }

    /// Searches as the round asks, and returns the candidates and the readings of the map.
    mutating func look(_ round: SearchRound) -> RoundAnswer {
        switch round.kind {
        case .quick: found = lookQuickly()
        case .full: found = lookFully()
        case .wide:
            if round.looksAgain { found += lookAgain() }
            if parameters.escalates, !isDecided() { escalate() }
        }
        // The root decides by the spectrogram too, and only a leaf can read it.
        let mayGoOn = round.kind == .full || round.kind == .quick && parameters.isEnough(found)
        if mayGoOn, !found.contains(where: parameters.isSure) { soft.bestScore(of: &found) }
        var answer = RoundAnswer(segments: matcher.parts.map(\.segment))
        (answer.candidates, answer.readings) = (found, soft.readings.all)
        return answer
    }

    private mutating func lookQuickly() -> [Candidate] {
        guard !isByPairs else {
            let effort = Voting.Effort(blocks: parameters.quickBlocks, places: parameters.quickPlaces)
            return look(.plain, .pairs(allKeys(), .plain), effort)
        }
        // The landmarks of a reference are mostly among the strongest of a query, and neighbors there too.
        let effort = Voting.Effort(blocks: parameters.strongBlocks, places: parameters.quickPlaces)
        return look(.plain, lookups(of: strongest(), under: .plain), effort)
    }

    private mutating func lookFully() -> [Candidate] {
        guard !isByPairs else { return lookAtPairs() }
        let effort = Voting.Effort(
            blocks: parameters.tripletBlocks,
            places: parameters.candidateCount,
            sifted: parameters.siftedPlaces
        )
        return look(.plain, lookups(of: allKeys(), under: .plain), effort)
    }

    /// Scans all references of a small catalog with the map; looks up pairs in a larger one.
    private mutating func lookAgain() -> [Candidate] { isByPairs ? scan() : lookAtPairs() }

    private mutating func lookAtPairs() -> [Candidate] {
        let effort = Voting.Effort(
            blocks: parameters.blockBudget,
            places: parameters.candidateCount,
            sifted: parameters.candidateCount
        )
        return look(.plain, .pairs(allKeys(), .plain), effort)
    }

    /// Searches under the hypotheses of another speed or pitch that have most votes.
    private mutating func escalate() {
        let isLikely =
            isLikely() || others.contains(where: parameters.isSure)
            || soft.readings.bestScore(of: others, parameters) >= parameters.likelyScore
        let count = isLikely ? parameters.likelyHypotheses : parameters.surveyedHypotheses
        let effort =
            isByPairs
            ? Voting.Effort(
                blocks: parameters.escalationBlocks,
                places: parameters.escalationPlaces,
                sifted: parameters.escalationPlaces
            )
            : Voting.Effort(
                blocks: parameters.tripletEscalationBlocks,
                places: parameters.escalationPlaces,
                sifted: parameters.siftedEscalationPlaces
            )
        // Votes for the right hypothesis stand out with the strongest landmarks alone, which are fewer to look up.
        for hypothesis in likely(count, strongest()) {
            let keys = allKeys()
            found += look(hypothesis, lookups(of: keys, under: hypothesis), effort)
            if isDecided() { break }
        }
    }

    /// Returns `true` if an answer is so certain that no other speed or pitch is tried.
    private mutating func isDecided() -> Bool {
        found.contains(where: parameters.isSure) || soft.bestScore(of: &found) >= parameters.sureScore
    }

    /// Returns `true` if there is an answer, even if it may have the wrong speed or pitch.
    private mutating func isLikely() -> Bool {
        found.contains(where: parameters.isSure) || soft.bestScore(of: &found) >= parameters.likelyScore
    }

    /// Scans all references with the map and returns the best places as candidates.
    private mutating func scan() -> [Candidate] {
        var densities = Densities()
        return soft.scan(limit: parameters.scanPlaces, lanes: matcher.lanes)
            .map { matcher.weigh($0, 1, verifier, &densities) }
    }

    // MARK: - Keys

    private mutating func allKeys() -> QueryKeys {
        if let keys { return keys }
        let made = QueryKeys(landmarks, fanOut: parameters.queryFanOut)
        keys = made
        return made
    }

    private mutating func strongest() -> QueryKeys {
        if let strongKeys { return strongKeys }
        let landmarks = query.thinned(to: parameters.strongDensity).landmarks
        let made =
            isByPairs
            ? QueryKeys(landmarks, fanOut: parameters.strongFanOut)
            : QueryKeys(landmarks, fanOut: parameters.strongFanOut, thirds: parameters.strongThirds)
        strongKeys = made
        return made
    }

    private func lookups(of keys: QueryKeys, under hypothesis: Hypothesis) -> Voting.Lookups {
        isByPairs ? .pairs(keys, hypothesis) : .triplets(keys.triplets(under: hypothesis))
    }

    // MARK: - Looks

    /// Returns the hypotheses of another speed or pitch for which a few blocks of the index give most votes to one
    /// place.
    private mutating func likely(_ count: Int, _ keys: QueryKeys) -> [Hypothesis] {
        let effort = Voting.Effort(blocks: parameters.surveyBlocks, places: 1)
        let all = Hypothesis.escalation
        var surveyed: [(hypothesis: Hypothesis, votes: Int)] = []
        // Keys of as many hypotheses are made at once as there are lanes. Then all lanes search the segments.
        for start in stride(from: 0, to: all.count, by: max(1, matcher.lanes)) {
            let some = Array(all[start..<min(all.count, start + max(1, matcher.lanes))])
            let made = Lanes.map(some, lanes: matcher.lanes) { [self] in lookups(of: keys, under: $0) }
            for (hypothesis, lookups) in zip(some, made) {
                keyCount += lookups.keyCount
                let votes = lanes.mostVotes(for: lookups, span: span, speed: hypothesis.speed, effort: effort)
                surveyed.append((hypothesis, votes))
            }
        }
        let ranked = surveyed.enumerated().sorted {
            ($1.element.votes, $0.offset) < ($0.element.votes, $1.offset)
        }
        return ranked.prefix(count).map(\.element.hypothesis)
    }

    /// The length of the query, in frames of 16 ms.
    var span: Int { steps / Landmark.stepsPerFrame }

    /// Counts votes under a hypothesis and returns the candidates at the places with most votes.
    private mutating func look(
        _ hypothesis: Hypothesis,
        _ lookups: Voting.Lookups,
        _ effort: Voting.Effort
    ) -> [Candidate] {
        keyCount += lookups.keyCount
        let places = places(lookups, under: hypothesis, effort)
        var found = Lanes.map(places, lanes: matcher.lanes) { [self] in verify($0, hypothesis) }.compactMap { $0 }
        // Only the best are scored landmark by landmark, which costs more than finding them.
        found.sort { $0.score > $1.score }
        var finalists: [Candidate] = []
        var densities = Densities()
        for candidate in found {
            // While the last ones are answers, the next may be one too: many references may have the same recording.
            let last = finalists.suffix(parameters.finalistCount)
            guard last.count < parameters.finalistCount || last.contains(where: { $0.score >= parameters.threshold })
            else { break }
            finalists.append(matcher.weigh(candidate, matcher.tried(hypothesis), verifier, &densities))
        }
        guard !finalists.contains(where: parameters.isClear), soft.isThere() else { return finalists }
        let readings = hypothesis == .plain ? found.count : parameters.escalationReadings
        for index in finalists.indices.prefix(readings) { soft.read(&finalists[index]) }
        // Candidates that are weak in landmarks may stand out in the map.
        var others = Array(found.dropFirst(finalists.count).prefix(max(0, readings - finalists.count)))
        for index in others.indices { soft.read(&others[index]) }
        others.removeAll { $0.contrast?.deviations ?? 0 <= 2 }
        others.sort { $0.contrast?.deviations ?? 0 > $1.contrast?.deviations ?? 0 }
        for candidate in others.prefix(4) {
            finalists.append(matcher.weigh(candidate, matcher.tried(hypothesis), verifier, &densities))
        }
        return finalists
    }
}
