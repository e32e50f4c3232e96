import EarshotCore
import EarshotSignatures
import Foundation

// What is said of a play.
extension PlayFinder {
    /// A play as it is answered.
    ///
    /// - Throws: `catalogInvalid` when its reference cannot be read.
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
        let score = Self.score(trace)
        return Play(
            id: id,
            items: items,
            referenceDuration: duration,
            offset: Self.time(trace.alignment.offset),
            recordingRange: Self.time(
                Double(trace.stretch.lowerBound)
            )..<Self.time(Double(trace.stretch.upperBound)),
            referenceRange: begin..<max(begin, end),
            speedSkew: trace.alignment.speed - 1,
            pitchSkew: Hypothesis.ratio(ofBins: trace.alignment.pitch / Double(Landmark.stepsPerBin)) - 1,
            score: score,
            confidence: 1 / (1 + exp(-parameters.confidenceSlope * (score - parameters.threshold))),
            alternatives: chosen.alternatives.map(Self.time),
            duplicateOf: nil
        )
    }

    /// Steps as a time.
    static func time(_ steps: Double) -> MediaTime {
        MediaTime(seconds: steps / Double(Landmark.stepsPerSecond), preferredTimescale: 16_000)
    }

    /// The evidence of the whole play on the scale of the matcher's score.
    static func score(_ trace: PlayTracer.Trace) -> Double {
        let (n, chance) = (Double(max(1, trace.tally.inside)), trace.tally.chance)
        let share = min(trace.tally.share, 1 - 0.5 / n)
        guard share > chance else { return 0 }
        let ratio = n * (share * log(share / chance) + (1 - share) * log((1 - share) / (1 - chance)))
        return ratio / n.squareRoot() * pow(n / 300, 0.15)
    }
}
