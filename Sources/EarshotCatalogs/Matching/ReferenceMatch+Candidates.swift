import EarshotCore
import EarshotSignatures

extension ReferenceMatch {
    /// Creates a match from a reference and its candidates, best first.
    init(_ reference: FoundReference, _ candidates: [Candidate], _ parameters: MatchingParameters) {
        self.init(
            id: reference.id,
            items: reference.items,
            referenceDuration: reference.duration,
            occurrences: candidates.map { Placement($0, within: reference.duration, parameters) }
        )
    }
}

extension Placement {
    fileprivate init(_ candidate: Candidate, within duration: MediaTime, _ parameters: MatchingParameters) {
        let alignment = candidate.alignment
        func time(_ steps: Double) -> MediaTime {
            MediaTime(seconds: steps / Double(Landmark.stepsPerSecond), preferredTimescale: 16_000)
        }
        let begin = max(.zero, time(alignment.offset + alignment.speed * candidate.span.lowerBound))
        let end = min(duration, time(alignment.offset + alignment.speed * candidate.span.upperBound))
        self.init(
            offset: time(alignment.offset),
            queryRange: time(candidate.span.lowerBound)..<time(candidate.span.upperBound),
            referenceRange: begin..<max(begin, end),
            speedSkew: alignment.speed - 1,
            pitchSkew: Hypothesis.ratio(ofBins: alignment.pitch / Double(Landmark.stepsPerBin)) - 1,
            score: candidate.score,
            confidence: parameters.confidence(ofScore: candidate.score),
            sharedMaterial: candidate.sharedMaterial
        )
    }
}
