import EarshotSignatures
import Foundation

/// Plays of a recording that are too quiet to leave landmarks of their own: music under a speaker.
///
/// A reference is followed along its line by the recording's contrast map, and stands by map and bits together if nothing else fits the
/// same stretch about as well.
struct FaintPlays {
    /// The length of the shortest play, 8 s, and how far the map must stand above chance for it, in standard deviations.
    private static let shortest = 8 * Landmark.stepsPerSecond
    private static let leastDeviations = 9.0
    /// The distance from chance that another reference may reach over the same stretch, as a part of the play's own. Two that reach
    /// more share a beat or a sound.
    private static let mostRivalShare = 0.4
    /// The same from which on the other is the same recording, if its bits fit too.
    private static let duplicateDeviations = 0.8
    /// Places of a reference that are looked at over one stretch, at most.
    private static let mostRefused = 4
    /// The score that a play needs, in nats. In mixes of two kits the false ones came to 14, true ones to 17 and more but for one
    /// with 10.
    private static let leastScore = 15.0

    private var tracer: ContrastTracer
    private let parameters: MatchingParameters
    private var traces: [PlayTracer.Trace] = []

    /// - Returns: nil for a recording without a spectrogram.
    init?(_ recording: Signature, targets: [MaskedSegment], length: Int, parameters: MatchingParameters) {
        guard let tracer = ContrastTracer(recording, targets: targets, length: length) else { return nil }
        self.tracer = tracer
        self.parameters = parameters
    }

    /// Follows seeds that landmarks do not bear out.
    mutating func follow(_ seeds: [PlayTracer.Seed]) {
        // In order of time, as the parts of the map are made.
        for seed in seeds.sorted(by: { $0.stretch.lowerBound < $1.stretch.lowerBound }) { follow(seed) }
    }

    private mutating func follow(_ seed: PlayTracer.Seed) {
        let middle = (seed.stretch.lowerBound + seed.stretch.upperBound) / 2
        let place = seed.alignment.position(at: Double(middle))
        let isKnown = traces.contains {
            $0.segment == seed.segment && $0.reference == seed.reference && $0.stretch.contains(middle)
                && abs($0.place(middle) - place) < PlayFinder.lineTolerance
        }
        guard seed.contrast >= PlayFinder.leastContrast, !isKnown, let trace = tracer.trace(seed) else { return }
        if let twin = traces.firstIndex(where: {
            $0.segment == trace.segment && $0.reference == trace.reference && PlayFinder.isSame($0, trace)
        }) {
            if trace.evidence > traces[twin].evidence { traces[twin] = trace }
        } else {
            traces.append(trace)
        }
    }

    /// Adds the plays that stand to those that landmarks bear out.
    mutating func choose(besides chosen: inout [PlayFinder.Chosen]) {
        let first = chosen.count
        var refused: [PlayTracer.Trace] = []
        for var trace in traces.sorted(by: { $0.evidence > $1.evidence }) {
            guard trace.stretch.count >= Self.shortest,
                let evidence = trace.faint, evidence.deviations >= Self.leastDeviations
            else { continue }
            // A track is not heard twice at once.
            guard !chosen.contains(where: { PlayFinder.isRival($0.trace, trace) }) else { continue }
            let owner = chosen.indices.first {
                2 * chosen[$0].trace.stretch.clamped(to: trace.stretch).count > trace.stretch.count
            }
            if let owner {
                // Of what is louder the landmarks speak. What fits about as well as a faint play is the same recording.
                guard owner >= first, chosen[owner].duplicateOf == nil,
                    let surer = chosen[owner].trace.faint,
                    evidence.deviations >= Self.duplicateDeviations * surer.deviations
                else { continue }
            }
            // A loop that two recordings share fits at many places, none of them right.
            let alike = refused.count { PlayFinder.isRival($0, trace) }
            guard alike < Self.mostRefused else { continue }
            guard let weighed = weighed(trace) else {
                refused.append(trace)
                continue
            }
            trace.faint = weighed
            chosen.append(PlayFinder.Chosen(trace: trace, duplicateOf: owner))
        }
    }

    /// The evidence of a faint play with bits and score; nil if it is not enough, or speaks for another reference too.
    private mutating func weighed(_ trace: PlayTracer.Trace) -> ContrastTracer.Evidence? {
        guard var evidence = trace.faint else { return nil }
        evidence.bits = tracer.bits(of: trace)
        guard evidence.bits >= parameters.leastBits else { return nil }
        var highest = 0.0
        for rival in traces where rival.segment != trace.segment || rival.reference != trace.reference {
            guard rival.stretch.overlaps(trace.stretch) else { continue }
            let reached = tracer.deviations(of: rival, over: trace.stretch)
            guard reached >= Self.mostRivalShare * evidence.deviations else {
                highest = max(highest, reached)
                continue
            }
            let isSame =
                reached >= Self.duplicateDeviations * evidence.deviations
                && tracer.bits(of: rival) >= parameters.leastBits
            guard isSame else { return nil }
        }
        evidence.score = ContrastTracer.score(evidence, rival: highest)
        if !PlayFinder.isPlain(trace.alignment) { evidence.score -= log(Double(Hypothesis.escalation.count + 1)) }
        return evidence.score >= Self.leastScore ? evidence : nil
    }
}
