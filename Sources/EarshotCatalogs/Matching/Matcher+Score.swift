import EarshotSignatures
import Foundation

// The score of a candidate.
extension Matcher {
    /// Scores a candidate landmark by landmark. If it is an answer, refines its speed along the whole query.
    func weigh(
        _ candidate: Candidate,
        _ tried: Int,
        _ verifier: Verifier,
        _ densities: inout Densities
    ) -> Candidate {
        let segment = targets[candidate.segment].segment
        func window(margin: Int) -> ReferenceWindow {
            self.window(segment, candidate.reference, candidate.alignment, verifier, margin: margin)
        }
        let density = densities.density(around: candidate) { window(margin: Verifier.surroundings) }
        let near = window(margin: 2 * Landmark.stepsPerSecond)
        var evidence = verifier.evidence(on: near, candidate.alignment, density: density)
        var result = candidate
        result.score = score(evidence, tried)
        if result.score >= parameters.threshold {
            let followed = verifier.follow(candidate.alignment, on: near)
            let further = verifier.evidence(on: near, followed, density: density)
            if further.total > evidence.total, SearchRange.contains(followed) {
                evidence = further
                result.alignment = followed
                result.score = max(result.score, score(further, tried))
            }
            result.span = verifier.span(on: near, result.alignment, density: density, damage: evidence.damage)
        }
        result.inside = evidence.inside
        result.matched = evidence.matched
        result.evidence = evidence.total
        result.tried = tried
        return result
    }

    /// The number of hypotheses tried so far: 1 for the original speed and pitch, otherwise all.
    func tried(_ hypothesis: Hypothesis) -> Int {
        hypothesis == .plain ? 1 : Hypothesis.escalation.count + 1
    }

    /// Returns the balanced evidence, in nats, less what the best of all positions reaches by chance.
    ///
    /// A query may lie on every frame of every reference, under one hypothesis or all. The best of more positions fits
    /// better by chance, by the logarithm of their number. After subtracting it, one threshold serves catalogs of any
    /// size and queries of any length.
    private func score(_ evidence: Evidence, _ tried: Int) -> Double {
        evidence.balanced - log(Double(max(totals.frameCount, parameters.leastFrameCount) * tried))
    }

    /// Returns the fit of landmarks, for choosing the candidates to score: the log-likelihood ratio of the matching
    /// share against chance, which is taken as 0.15 everywhere.
    func fit(_ tally: Verifier.Tally) -> Double {
        let n = Double(tally.inside)
        let share = min(tally.share, 1 - 0.5 / n)
        let chance = 0.15
        guard share > chance else { return 0 }
        return n * (share * log(share / chance) + (1 - share) * log((1 - share) / (1 - chance)))
    }
}

/// The densities measured for the candidates of one search. Places of a reference within one minute share one.
struct Densities {
    private struct Key: Hashable {
        var segment: Int
        var reference: Int
        var minute: Int
    }

    private var known: [Key: LandmarkDensity] = [:]

    mutating func density(around candidate: Candidate, _ window: () -> ReferenceWindow) -> LandmarkDensity {
        let minute = Int(candidate.alignment.offset) / Verifier.surroundings
        let key = Key(segment: candidate.segment, reference: candidate.reference, minute: minute)
        if let density = known[key] { return density }
        let density = LandmarkDensity(window())
        known[key] = density
        return density
    }
}
