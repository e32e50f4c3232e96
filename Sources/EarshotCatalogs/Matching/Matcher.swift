import EarshotSignatures
import Foundation

/// Searches segments for a query: votes, verification, score against chance, and other speeds and pitches when that
/// gives no answer.
struct Matcher {
    /// A segment and the references of it that do not count.
    struct Target {
        var segment: Segment
        var removed: Set<Int>
    }

    private let targets: [Target]
    private let parameters: MatchingParameters

    init(_ targets: [Target], parameters: MatchingParameters) {
        self.targets = targets
        self.parameters = parameters
    }

    /// Every candidate that was held against chance, best first; those whose score reaches the threshold are answers.
    func search(_ query: Signature) -> [Candidate] {
        let landmarks = query.thinned(to: parameters.queryDensity).landmarks
        guard landmarks.count >= Verifier.leastInside else { return [] }
        let pairs = QueryPairs(landmarks, fanOut: parameters.queryFanOut)
        let verifier = Verifier(landmarks)
        let steps = Int(landmarks.last?.time ?? 0)
        var votings = targets.map { Voting($0.segment, parameters: parameters) }
        var found = candidates(pairs, verifier, steps: steps, under: .plain, &votings)
        if parameters.escalates, (found.first?.score ?? 0) < parameters.threshold {
            for hypothesis in Hypothesis.escalation {
                found += candidates(pairs, verifier, steps: steps, under: hypothesis, &votings)
            }
        }
        return distinct(found)
    }

    /// Best first; equal scores in order of adding.
    private func distinct(_ candidates: [Candidate]) -> [Candidate] {
        let sorted = candidates.sorted {
            if $0.score != $1.score { return $0.score > $1.score }
            return ($0.segment, $0.reference, $0.alignment.offset) < ($1.segment, $1.reference, $1.alignment.offset)
        }
        var kept: [Candidate] = []
        for candidate in sorted {
            // The same place, found twice from neighbouring bins or under neighbouring hypotheses.
            let isKnown = kept.contains {
                $0.segment == candidate.segment && $0.reference == candidate.reference
                    && abs($0.alignment.offset - candidate.alignment.offset) < 0.4 * Double(Landmark.stepsPerSecond)
            }
            if !isKnown { kept.append(candidate) }
        }
        return kept
    }

    private func candidates(
        _ pairs: QueryPairs,
        _ verifier: Verifier,
        steps: Int,
        under hypothesis: Hypothesis,
        _ votings: inout [Voting]
    ) -> [Candidate] {
        var found: [Candidate] = []
        for index in targets.indices {
            let span = steps / Landmark.stepsPerFrame
            let places = votings[index].places(for: pairs, span: span, under: hypothesis)
            for place in places {
                for reference in references(at: place, steps: steps, under: hypothesis, in: index) {
                    if let candidate = verify(place, reference, hypothesis, verifier, segment: index) {
                        found.append(candidate)
                    }
                }
            }
        }
        // Chance is measured for the best only: it costs a dozen alignments each.
        found.sort { $0.score > $1.score }
        var finalists: [Candidate] = []
        for candidate in found {
            // As long as the last ones were answers, the next may be too: many references may hold the same recording.
            let last = finalists.suffix(parameters.finalistCount)
            guard last.count < parameters.finalistCount || last.contains(where: { $0.score >= parameters.threshold })
            else { break }
            finalists.append(holdAgainstChance(candidate, hypothesis, verifier))
        }
        return finalists
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

    private func verify(
        _ place: Voting.Place,
        _ reference: Int,
        _ hypothesis: Hypothesis,
        _ verifier: Verifier,
        segment index: Int
    ) -> Candidate? {
        let segment = targets[index].segment
        let frame = place.frame - segment.records[reference].firstFrame
        let guess = Alignment(
            offset: Double(frame * Landmark.stepsPerFrame),
            speed: hypothesis.speed,
            pitch: hypothesis.pitch * Double(Landmark.stepsPerBin)
        )
        let window = window(segment, reference, guess, verifier, margin: Landmark.stepsPerSecond)
        let alignment = verifier.refine(guess, on: window)
        let tally = verifier.tally(on: window, alignment)
        guard tally.inside >= Verifier.leastInside, tally.matched >= 6, Hypothesis.isPlausible(alignment) else {
            return nil
        }
        var candidate = Candidate(
            segment: index,
            reference: reference,
            alignment: alignment,
            votes: place.votes,
            inside: tally.inside,
            matched: tally.matched,
            chance: 0.15,
            score: 0,
            span: 0...0
        )
        candidate.score = score(candidate, hypothesis)
        return candidate
    }

    private func window(
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

    // MARK: - Score

    private func holdAgainstChance(
        _ candidate: Candidate,
        _ hypothesis: Hypothesis,
        _ verifier: Verifier
    ) -> Candidate {
        let segment = targets[candidate.segment].segment
        let wide = window(segment, candidate.reference, candidate.alignment, verifier, margin: Verifier.surroundings)
        var result = candidate
        result.chance = chance(candidate, verifier, on: wide)
        result.score = score(result, hypothesis)
        guard result.score >= parameters.threshold else { return result }
        let near = window(
            segment,
            candidate.reference,
            candidate.alignment,
            verifier,
            margin: 2 * Landmark.stepsPerSecond
        )
        let followed = verifier.follow(candidate.alignment, on: near)
        let tally = verifier.tally(on: near, followed)
        if tally.matched >= candidate.matched, tally.inside >= Verifier.leastInside, Hypothesis.isPlausible(followed) {
            result.alignment = followed
            result.inside = tally.inside
            result.matched = tally.matched
            result.score = max(result.score, score(result, hypothesis))
        }
        result.span = verifier.span(on: near, result.alignment, chance: result.chance)
        return result
    }

    /// The share of landmarks that fit when the query lies elsewhere in the same reference: the mean of the middle ones
    /// of up to 24 places, so that a true repeat is not taken for chance.
    private func chance(_ candidate: Candidate, _ verifier: Verifier, on window: ReferenceWindow) -> Double {
        var shares = verifier.sharesElsewhere(candidate.alignment, inside: candidate.inside, on: window)
        guard shares.count >= 4 else {
            // A reference hardly longer than the query: chance is measured on shifted frequencies instead.
            for bins in [-23.0, -17, -13, -7, 7, 13, 17, 23] {
                var shifted = candidate.alignment
                shifted.pitch += bins * Double(Landmark.stepsPerBin)
                shares.append(verifier.tally(on: window, shifted).share)
            }
            return floor(of: shares, inside: candidate.inside)
        }
        return floor(of: shares, inside: candidate.inside)
    }

    private func floor(of shares: [Double], inside: Int) -> Double {
        let sorted = shares.sorted()
        let middle = sorted[sorted.count / 8..<max(sorted.count / 8 + 1, sorted.count - sorted.count / 8)]
        let mean = middle.reduce(0, +) / Double(middle.count)
        return min(max(mean, 0.02), 0.9)
    }

    /// The log-likelihood ratio of the share that fits against the share that fits by chance, with the logarithm of the
    /// votes beside it, over a power of the number of landmarks: one threshold then serves queries of any length. The
    /// power, 0.35, is where the strongest foreign answers to queries of 2, 3, 5 and 10 s scored alike; at 0.5 those to
    /// short queries scored a third higher. Around 300 landmarks, five seconds, it is as if it were the square root.
    ///
    /// A match found after more hypotheses had more chances to be one; their logarithm is taken off.
    private func score(_ candidate: Candidate, _ hypothesis: Hypothesis) -> Double {
        let n = Double(candidate.inside)
        let share = min(Double(candidate.matched) / n, 1 - 0.5 / n)
        guard share > candidate.chance else { return 0 }
        let chance = candidate.chance
        let ratio = n * (share * log(share / chance) + (1 - share) * log((1 - share) / (1 - chance)))
        let tried = hypothesis == .plain ? 1 : Double(Hypothesis.escalation.count + 1)
        let evidence = ratio + parameters.voteWeight * log(1 + Double(candidate.votes))
        let net = evidence - parameters.hypothesisWeight * log(tried)
        return net / n.squareRoot() * pow(n / 300, 0.15)
    }
}
