import EarshotCore
import EarshotSignatures
import Foundation

// Conversion of traces to plays.
extension PlayFinder {
    /// Converts a chosen play to its public form.
    ///
    /// - Throws: `catalogInvalid` if its reference cannot be read.
    func play(_ chosen: Chosen) throws(EarshotError) -> Play {
        let trace = chosen.trace
        let segment = targets[trace.segment].segment
        guard let id = segment.id(trace.reference), let items = segment.items(trace.reference) else {
            throw EarshotError(
                .catalogInvalid,
                "The catalog is damaged: reference \(trace.reference + 1) cannot be read. Make the catalog again."
            )
        }
        let duration = segment.records[trace.reference].duration
        let begin = max(.zero, Self.time(trace.place(trace.stretch.lowerBound)))
        let end = min(duration, Self.time(trace.place(trace.stretch.upperBound)))
        let score = trace.faint?.score ?? score(trace)
        return Play(
            id: id,
            items: items,
            referenceDuration: duration,
            placement: Placement(
                offset: Self.time(trace.alignment.offset),
                queryRange: Self.time(Double(trace.stretch.lowerBound))..<Self.time(Double(trace.stretch.upperBound)),
                referenceRange: begin..<max(begin, end),
                speedSkew: trace.alignment.speed - 1,
                pitchSkew: Hypothesis.ratio(ofBins: trace.alignment.pitch / Double(Landmark.stepsPerBin)) - 1,
                score: score,
                confidence: parameters.confidence(ofScore: score)
            ),
            alternatives: chosen.alternatives.map(Self.time)
        )
    }

    /// Converts steps of 2 ms to a time.
    static func time(_ steps: Double) -> MediaTime {
        MediaTime(seconds: steps / Double(Landmark.stepsPerSecond), preferredTimescale: 16_000)
    }

    /// Returns the evidence of the landmarks for a play, in nats, on the scale of the matcher's score. It is that of
    /// the whole play, or of its best slice if that is more: the rest may lie under speech or be faded. If the whole is
    /// evidence against the play, as when only a loop of it is shared, the best slice does not count.
    func score(_ trace: PlayTracer.Trace) -> Double {
        let whole = trace.whole ?? whole(trace)
        return whole.isInFavor ? max(whole.score, trace.seedScore) : whole.score
    }

    /// Computes the evidence of all landmarks in a trace's interval.
    func whole(_ trace: PlayTracer.Trace) -> PlayTracer.Trace.Whole {
        let landmarks = tracer.landmarks(in: trace.stretch)
        guard let first = landmarks.first?.time else { return .init(score: -.infinity, isInFavor: false) }
        let verifier = Verifier(
            landmarks.map { Landmark(time: $0.time - first, frequency: $0.frequency, tier: $0.tier) }
        )
        var alignment = trace.alignment
        alignment.offset += alignment.speed * Double(first)
        let end = alignment.offset + alignment.speed * verifier.lastTime
        func window(margin: Int) -> ReferenceWindow {
            let low = Int(alignment.offset) - margin
            return ReferenceWindow(
                targets[trace.segment].segment,
                reference: trace.reference,
                steps: low..<max(low, Int(end) + margin)
            )
        }
        let evidence = verifier.evidence(
            on: window(margin: Landmark.stepsPerSecond),
            alignment,
            density: LandmarkDensity(window(margin: Verifier.surroundings))
        )
        let tried = Self.isPlain(trace.alignment) ? 1 : Hypothesis.escalation.count + 1
        let frames = targets.reduce(0) { $0 + $1.segment.frameCount }
        return .init(
            score: evidence.balanced - log(Double(max(frames, parameters.leastFrameCount) * tried)),
            isInFavor: evidence.total > 0
        )
    }
}
