import EarshotSignatures
import Foundation

/// Searches segments for a query: votes, verification, score against chance, and other speeds and pitches when that
/// gives no answer.
struct Matcher {
    let targets: [MaskedSegment]
    let parameters: MatchingParameters
    /// Frames of all references: the places at which a query may begin.
    let frameCount: Int

    init(_ targets: [MaskedSegment], parameters: MatchingParameters) {
        self.targets = targets
        self.parameters = parameters
        frameCount = targets.reduce(0) { $0 + $1.segment.frameCount }
    }

    /// Every candidate that was weighed, best first; those whose score reaches the threshold are answers.
    func search(_ query: Signature) -> [Candidate] {
        var work = SearchWork()
        return search(query, counting: &work)
    }

    /// The same, and what was read for it.
    func search(_ query: Signature, counting work: inout SearchWork) -> [Candidate] {
        let landmarks = query.thinned(to: parameters.queryDensity).landmarks
        guard landmarks.count >= Verifier.leastInside else { return [] }
        let keys = QueryKeys(landmarks, fanOut: parameters.queryFanOut)
        let verifier = Verifier(landmarks)
        var soft = SoftEvidence(query, targets: targets, parameters: parameters)
        let steps = Int(landmarks.last?.time ?? 0)
        let memory = Voting.memory()
        var votings = targets.map { Voting($0.segment, parameters: parameters, memory: memory) }
        let postings = targets.reduce(0) { $0 + $1.segment.postingCount }
        let quick = Voting.Effort(blocks: parameters.quickBlocks, places: parameters.quickPlaces)
        let full = Voting.Effort(
            blocks: parameters.blockBudget,
            places: parameters.candidateCount,
            sifted: parameters.candidateCount
        )
        let wide = Voting.Effort(
            blocks: parameters.escalationBlocks,
            places: parameters.escalationPlaces,
            sifted: parameters.escalationPlaces
        )
        func look(_ hypothesis: Hypothesis, _ lookups: Voting.Lookups, _ effort: Voting.Effort) -> [Candidate] {
            candidates(lookups, verifier, &soft, steps: steps, under: hypothesis, effort, &votings)
        }
        var found: [Candidate]
        if postings <= parameters.pairLimit {
            found = look(.plain, .pairs(keys, .plain), quick)
            if !isEnough(found) { found = look(.plain, .pairs(keys, .plain), full) }
            guard !wantsSpectrogram(query, found) else { return interrupted(votings, &work) }
            if parameters.scans, !isLikely(&found, &soft) { found += scanned(&soft, verifier) }
            if parameters.escalates, !isDecided(&found, &soft) {
                let count = isLikely(&found, &soft) ? parameters.likelyHypotheses : parameters.surveyedHypotheses
                // Votes for the right one stand out by the strongest landmarks too.
                let strong = QueryKeys(
                    query.thinned(to: parameters.strongDensity).landmarks,
                    fanOut: parameters.strongFanOut
                )
                for hypothesis in likely(count, steps: steps, &votings, { .pairs(strong, $0) }) {
                    found += look(hypothesis, .pairs(keys, hypothesis), wide)
                    if isDecided(&found, &soft) { break }
                }
            }
        } else {
            // What a reference keeps is mostly among the strongest of a query, and next to each other there too.
            let strong = QueryKeys(
                query.thinned(to: parameters.strongDensity).landmarks,
                fanOut: parameters.strongFanOut,
                thirds: parameters.strongThirds
            )
            var effort = Voting.Effort(blocks: parameters.strongBlocks, places: parameters.quickPlaces)
            found = look(.plain, .triplets(strong.triplets(under: .plain)), effort)
            if !isEnough(found) {
                effort = Voting.Effort(
                    blocks: parameters.tripletBlocks,
                    places: parameters.candidateCount,
                    sifted: parameters.siftedPlaces
                )
                found = look(.plain, .triplets(keys.triplets(under: .plain)), effort)
            }
            guard !wantsSpectrogram(query, found) else { return interrupted(votings, &work) }
            if postings <= parameters.secondLookLimit, !found.contains(where: isAnswer), !isLikely(&found, &soft) {
                found += look(.plain, .pairs(keys, .plain), full)
            }
            if parameters.escalates, !isDecided(&found, &soft) {
                effort = Voting.Effort(
                    blocks: parameters.tripletEscalationBlocks,
                    places: parameters.escalationPlaces,
                    sifted: parameters.siftedEscalationPlaces
                )
                let count = isLikely(&found, &soft) ? parameters.likelyHypotheses : parameters.surveyedHypotheses
                let likely = likely(count, steps: steps, &votings) { .triplets(strong.triplets(under: $0)) }
                for hypothesis in likely {
                    found += look(hypothesis, .triplets(keys.triplets(under: hypothesis)), effort)
                    if isDecided(&found, &soft) { break }
                }
            }
        }
        for voting in votings { work += voting.work }
        let length = Double(steps)
        found += repeats(of: distinct(found, length: length, by: \.evidence), verifier)
        var places = distinct(found, length: length, by: \.evidence)
        guard let first = byReference(places).first else { return [] }
        if isClear(first) {
            // The reference is known, but not the place: a recording may nearly repeat itself.
            let alike = places.indices.filter {
                places[$0].key == first.key && places[$0].evidence > 0.7 * first.evidence
            }
            if alike.count > 1, soft.isThere() {
                for index in alike.prefix(parameters.alikeReadings) { soft.readBits(&places[index]) }
                places.sort { $0.fit > $1.fit }
            }
        } else if soft.isThere() {
            soft.read(&found)
            for index in found.indices {
                found[index].landmarkScore = found[index].score
                found[index].score = found[index].together(leastBits: parameters.leastBits)
            }
            places = distinct(found, length: length, by: \.fit)
        }
        var ordered = consistent(byReference(places))
        for index in ordered.indices where isAnswer(ordered[index]) {
            ordered[index].sharedMaterial = sharedMaterial(ordered[index], verifier)
        }
        return ordered
    }

    private func sharedMaterial(_ candidate: Candidate, _ verifier: Verifier) -> SharedMaterial? {
        let segment = targets[candidate.segment].segment
        let window = window(
            segment,
            candidate.reference,
            candidate.alignment,
            verifier,
            margin: Landmark.stepsPerSecond
        )
        return verifier.spread(on: window, candidate.alignment).sharedMaterial
    }

    /// The hypotheses of another speed or pitch under which a few blocks of the index give most votes to one place.
    private func likely(
        _ count: Int,
        steps: Int,
        _ votings: inout [Voting],
        _ lookups: (Hypothesis) -> Voting.Lookups
    ) -> [Hypothesis] {
        let effort = Voting.Effort(blocks: parameters.surveyBlocks, places: 1)
        let span = steps / Landmark.stepsPerFrame
        let surveyed = Hypothesis.escalation.map { hypothesis in
            let lookups = lookups(hypothesis)
            let votes = votings.indices.map { index in
                votings[index].places(
                    for: lookups,
                    span: span,
                    speed: hypothesis.speed,
                    effort: effort
                )
                .first?.votes ?? 0
            }
            return (hypothesis: hypothesis, votes: votes.max() ?? 0)
        }
        let ranked = surveyed.enumerated().sorted {
            ($1.element.votes, $0.offset) < ($0.element.votes, $1.offset)
        }
        return ranked.prefix(count).map(\.element.hypothesis)
    }

    /// Returns `true` if the sender of the query can add a spectrogram, and landmarks are not sure without it. Other speeds are then
    /// not searched: with the spectrogram fewer need to be.
    private func wantsSpectrogram(_ query: Signature, _ found: [Candidate]) -> Bool {
        query.canAddSpectrogram && !found.contains(where: isClear) && targets.contains(where: \.segment.hasBits)
    }

    private func interrupted(_ votings: [Voting], _ work: inout SearchWork) -> [Candidate] {
        for voting in votings { work += voting.work }
        work.wantsSpectrogram = true
        return []
    }

    /// Whether landmarks alone leave no doubt.
    private func isClear(_ candidate: Candidate) -> Bool {
        candidate.score >= parameters.clearScore && isSure(candidate)
    }

    /// Whether there is an answer beyond doubt.
    private func isDecided(_ found: inout [Candidate], _ soft: inout SoftEvidence) -> Bool {
        found.contains(where: isSure) || soft.bestScore(of: &found) >= parameters.sureScore
    }

    /// Returns `true` if there is an answer, which may still lie at the wrong speed or pitch.
    private func isLikely(_ found: inout [Candidate], _ soft: inout SoftEvidence) -> Bool {
        found.contains(where: isSure) || soft.bestScore(of: &found) >= parameters.likelyScore
    }

    /// What a scan of all references finds.
    private func scanned(_ soft: inout SoftEvidence, _ verifier: Verifier) -> [Candidate] {
        var densities = Densities()
        return soft.scan(limit: parameters.scanPlaces).map { weigh($0, 1, verifier, &densities) }
    }

    /// Other places in the references that are answered.
    private func repeats(of candidates: [Candidate], _ verifier: Verifier) -> [Candidate] {
        var seen: Set<Candidate.Key> = []
        var found: [Candidate] = []
        var densities = Densities()
        for candidate in candidates where isAnswer(candidate) {
            guard seen.count < parameters.repeatReferences else { break }
            guard seen.insert(candidate.key).inserted else { continue }
            let segment = targets[candidate.segment].segment
            let around = window(
                segment,
                candidate.reference,
                candidate.alignment,
                verifier,
                margin: Verifier.repeatReach
            )
            let limit = parameters.repeatCount
            for offset in verifier.offsets(like: candidate.alignment, on: around, limit: limit) {
                let isKnown = candidates.contains {
                    $0.segment == candidate.segment && $0.reference == candidate.reference
                        && abs($0.alignment.offset - offset) < 0.1 * Double(Landmark.stepsPerSecond)
                        && abs($0.alignment.speed - candidate.alignment.speed) < 0.005
                }
                guard !isKnown else { continue }
                var other = candidate
                other.alignment.offset = offset
                let near = window(
                    segment,
                    other.reference,
                    other.alignment,
                    verifier,
                    margin: Landmark.stepsPerSecond
                )
                other.alignment = verifier.refine(other.alignment, on: near)
                let tally = verifier.tally(on: near, other.alignment)
                guard tally.inside >= Verifier.leastInside, SearchRange.contains(other.alignment) else { continue }
                // As many hypotheses were tried for it as for the first.
                found.append(weigh(other, candidate.tried, verifier, &densities))
            }
        }
        return found
    }

    /// Whether a first look is all that is needed: its best answer is clear, and it is not full of answers, behind which
    /// there may be more. Many references may hold the same recording.
    private func isEnough(_ found: [Candidate]) -> Bool {
        let isClear = found.contains {
            isAnswer($0) && $0.evidence >= parameters.clearEvidence * Double($0.inside)
        }
        // Places of one reference are looked for later.
        let answered = Set(found.filter(isAnswer).map(\.key))
        return isClear && answered.count * 2 < parameters.quickPlaces
    }

    /// Whether an answer leaves nothing to look for. Played at another speed, a recording may match by a short stretch of
    /// itself under the plain hypothesis; its evidence is then thin.
    private func isSure(_ candidate: Candidate) -> Bool {
        isAnswer(candidate) && candidate.evidence >= parameters.sureEvidence * Double(candidate.inside)
    }

    func isAnswer(_ candidate: Candidate) -> Bool { candidate.score >= parameters.threshold }

    private func candidates(
        _ lookups: Voting.Lookups,
        _ verifier: Verifier,
        _ soft: inout SoftEvidence,
        steps: Int,
        under hypothesis: Hypothesis,
        _ effort: Voting.Effort,
        _ votings: inout [Voting]
    ) -> [Candidate] {
        var found: [Candidate] = []
        for place in places(lookups, &soft, steps: steps, under: hypothesis, effort, &votings) {
            if let candidate = verify(place, hypothesis, verifier) { found.append(candidate) }
        }
        // Only the best are weighed landmark by landmark, which costs more than finding them.
        found.sort { $0.score > $1.score }
        var finalists: [Candidate] = []
        var densities = Densities()
        for candidate in found {
            // As long as the last ones were answers, the next may be too: many references may hold the same recording.
            let last = finalists.suffix(parameters.finalistCount)
            guard last.count < parameters.finalistCount || last.contains(where: { $0.score >= parameters.threshold })
            else { break }
            finalists.append(weigh(candidate, tried(hypothesis), verifier, &densities))
        }
        guard !finalists.contains(where: isClear), soft.isThere() else { return finalists }
        let readings = hypothesis == .plain ? found.count : parameters.escalationReadings
        for index in finalists.indices.prefix(readings) { soft.read(&finalists[index]) }
        // What landmarks leave behind may stand out in the map.
        var others = Array(found.dropFirst(finalists.count).prefix(max(0, readings - finalists.count)))
        for index in others.indices { soft.read(&others[index]) }
        others.removeAll { $0.contrast?.deviations ?? 0 <= 2 }
        others.sort { $0.contrast?.deviations ?? 0 > $1.contrast?.deviations ?? 0 }
        for candidate in others.prefix(4) {
            finalists.append(weigh(candidate, tried(hypothesis), verifier, &densities))
        }
        return finalists
    }

    /// A place with votes, and a reference that the query would touch there.
    private struct Touched {
        var segment: Int
        var reference: Int
        var votes: Int
        var guess: Alignment
    }

    /// Places to be verified: the few with most votes, and of many more those at which the map stands out. In noise few keys of the true
    /// place are left, and the map tells it from others with as few.
    private func places(
        _ lookups: Voting.Lookups,
        _ soft: inout SoftEvidence,
        steps: Int,
        under hypothesis: Hypothesis,
        _ effort: Voting.Effort,
        _ votings: inout [Voting]
    ) -> [Touched] {
        let span = steps / Landmark.stepsPerFrame
        let isSifted = effort.sifted > 0 && soft.isThere()
        let wanted = isSifted ? effort.sifted : effort.places
        var places: [(segment: Int, place: Voting.Place)] = []
        let postings = targets.reduce(0) { $0 + $1.segment.postingCount }
        for index in targets.indices {
            var effort = effort
            effort.places = wanted
            if case .triplets = lookups {
                let share = Double(targets[index].segment.postingCount) / Double(max(1, postings))
                effort.blocks = max(parameters.leastSegmentBlocks, Int(Double(effort.blocks) * share))
            }
            let best = votings[index].places(for: lookups, span: span, speed: hypothesis.speed, effort: effort)
            places += best.map { (index, $0) }
        }
        if targets.count > 1 {
            var count = places.count
            if case .triplets = lookups { count = wanted }
            places = Self.best(count, of: places)
        }
        var touched: [Touched] = []
        var others: [(touched: Touched, deviations: Double)] = []
        for (rank, (index, place)) in places.enumerated() {
            for reference in references(at: place, steps: steps, under: hypothesis, in: index) {
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
                if !isSifted || rank < parameters.unsiftedPlaces {
                    touched.append(one)
                } else if let deviations = soft.deviations(of: index, reference, near: one.guess),
                    deviations >= parameters.leastSifted
                {
                    others.append((one, deviations))
                }
            }
        }
        others.sort { $0.deviations > $1.deviations }
        return touched + others.prefix(2 * effort.places).map(\.touched)
    }

    /// The places with most votes of all segments, and in any case the best two of each: a key's rarity, by which votes
    /// weigh, is known less well in a small one.
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

    /// References that the query would touch, were it to begin at a place.
    private func references(
        at place: Voting.Place,
        steps: Int,
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

    private func verify(_ place: Touched, _ hypothesis: Hypothesis, _ verifier: Verifier) -> Candidate? {
        let (segment, reference, guess) = (targets[place.segment].segment, place.reference, place.guess)
        let window = window(segment, reference, guess, verifier, margin: Landmark.stepsPerSecond)
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
            score: fit(tally),
            span: 0...0
        )
    }

    func window(
        _ segment: Segment,
        _ reference: Int,
        _ alignment: Alignment,
        _ verifier: Verifier,
        margin: Int
    ) -> ReferenceWindow {
        let begin = Int(alignment.offset) - margin
        let end = Int(alignment.offset + alignment.speed * verifier.lastTime) + margin
        return ReferenceWindow(segment, reference: reference, steps: begin..<max(begin, end))
    }
}
