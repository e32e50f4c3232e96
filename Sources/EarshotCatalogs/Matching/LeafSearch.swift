import EarshotSignatures

/// A search as it goes on in one leaf: what is made of the query once, and what was found so far.
struct LeafSearch {
    let matcher: Matcher
    let verifier: Verifier
    var soft: SoftEvidence
    /// Candidates of the last looks, as they were found.
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
    /// `true` if the first two landmarks of keys are looked up; in a larger catalog all three are.
    private var isByPairs: Bool { matcher.totals.postingCount <= parameters.pairLimit }

    /// - Returns: `nil` for a query that has too few landmarks.
    init?(_ query: Signature, in matcher: Matcher, chance: SearchChance? = nil) {
        landmarks = query.thinned(to: matcher.parameters.queryDensity).landmarks
        guard landmarks.count >= Verifier.leastInside else { return nil }
        (self.query, self.matcher) = (query, matcher)
        verifier = Verifier(landmarks)
        steps = Int(landmarks.last?.time ?? 0)
        soft = SoftEvidence(query, in: matcher, chance: chance)
        lanes = VotingLanes(matcher)
    }

    /// All that was read since the beginning.
    var work: SearchWork {
        var work = lanes.work
        work.keys = keyCount
        return work
    }

    // MARK: - Rounds

    /// Takes what was found in earlier rounds: in these segments, and in those of other leaves.
    mutating func take(_ candidates: [Candidate], elsewhere others: [Candidate], _ readings: [ReferenceReading]) {
        (found, self.others) = (candidates, others)
        soft.take(readings, elsewhere: others)
    }

    /// Looks for the query as a round says, and answers what was found.
    mutating func look(_ round: SearchRound) -> RoundAnswer {
        switch round.kind {
        case .quick: found = lookQuickly()
        case .full: found = lookFully()
        case .wide:
            if round.looksAgain { found += lookAgain() }
            if parameters.escalates, !isDecided() { escalate() }
        }
        // The root decides by what a spectrogram says too, which only the leaf can read.
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
        // What a reference keeps is mostly among the strongest of a query, and next to each other there too.
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

    /// Lays the map on all references of a small catalog; reads pairs in a larger one.
    private mutating func lookAgain() -> [Candidate] { isByPairs ? scan() : lookAtPairs() }

    private mutating func lookAtPairs() -> [Candidate] {
        let effort = Voting.Effort(
            blocks: parameters.blockBudget,
            places: parameters.candidateCount,
            sifted: parameters.candidateCount
        )
        return look(.plain, .pairs(allKeys(), .plain), effort)
    }

    /// Looks under the hypotheses of another speed or pitch that votes speak for.
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
        // Votes for the right one stand out by the strongest landmarks too.
        for hypothesis in likely(count, strongest()) {
            let keys = allKeys()
            found += look(hypothesis, lookups(of: keys, under: hypothesis), effort)
            if isDecided() { break }
        }
    }

    /// Returns `true` if there is an answer beyond doubt.
    private mutating func isDecided() -> Bool {
        found.contains(where: parameters.isSure) || soft.bestScore(of: &found) >= parameters.sureScore
    }

    /// Returns `true` if there is an answer, which may still lie at the wrong speed or pitch.
    private mutating func isLikely() -> Bool {
        found.contains(where: parameters.isSure) || soft.bestScore(of: &found) >= parameters.likelyScore
    }

    /// Scans all references for candidates.
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

    /// The hypotheses of another speed or pitch under which a few blocks of the index give most votes to one place.
    private mutating func likely(_ count: Int, _ keys: QueryKeys) -> [Hypothesis] {
        let effort = Voting.Effort(blocks: parameters.surveyBlocks, places: 1)
        let all = Hypothesis.escalation
        var surveyed: [(hypothesis: Hypothesis, votes: Int)] = []
        // Keys are made of as many hypotheses at once as there are lanes: segments are then asked by all lanes.
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

    /// Frames that the query lasts.
    var span: Int { steps / Landmark.stepsPerFrame }

    /// Votes under a hypothesis, and the candidates at the places with most of them.
    private mutating func look(
        _ hypothesis: Hypothesis,
        _ lookups: Voting.Lookups,
        _ effort: Voting.Effort
    ) -> [Candidate] {
        keyCount += lookups.keyCount
        let places = places(lookups, under: hypothesis, effort)
        var found = Lanes.map(places, lanes: matcher.lanes) { [self] in verify($0, hypothesis) }.compactMap { $0 }
        // Only the best are weighed landmark by landmark, which costs more than finding them.
        found.sort { $0.score > $1.score }
        var finalists: [Candidate] = []
        var densities = Densities()
        for candidate in found {
            // As long as the last ones were answers, the next may be too: many references may hold the same recording.
            let last = finalists.suffix(parameters.finalistCount)
            guard last.count < parameters.finalistCount || last.contains(where: { $0.score >= parameters.threshold })
            else { break }
            finalists.append(matcher.weigh(candidate, matcher.tried(hypothesis), verifier, &densities))
        }
        guard !finalists.contains(where: parameters.isClear), soft.isThere() else { return finalists }
        let readings = hypothesis == .plain ? found.count : parameters.escalationReadings
        for index in finalists.indices.prefix(readings) { soft.read(&finalists[index]) }
        // What landmarks leave behind may stand out in the map.
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
