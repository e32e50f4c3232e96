import EarshotSignatures
import Foundation

/// The plays of a recording that are too quiet to leave landmarks of their own, such as music under a speaker.
///
/// Each reference is traced along its line with the recording's contrast map. A play is accepted by map and bits
/// together, unless other references fit the same interval about as well.
struct FaintPlays {
    /// The length of the shortest play, 8 s, and the distance of its map from chance, in standard deviations.
    private static let shortest = 8 * Landmark.stepsPerSecond
    private static let leastDeviations = 9.0
    /// The largest distance from chance that another reference may reach over the same interval, relative to the play's
    /// own. If two reach more, they share a beat or a sound.
    private static let mostRivalShare = 0.4
    /// The same share from which the other reference is the same recording, if its bits fit too.
    private static let duplicateDeviations = 0.8
    /// The largest number of places of a reference that are tried over one interval.
    private static let mostRefused = 4
    /// The score that a play needs, in nats. In mixes of two kits false plays reached up to 14, and true ones 17 or
    /// more except one with 10.
    private static let leastScore = 15.0

    private var tracer: ContrastTracer
    private let parameters: MatchingParameters
    private var traces: [PlayTracer.Trace] = []

    /// Creates an empty set of plays.
    ///
    /// - Returns: `nil` if the recording has no spectrogram.
    init?(_ recording: Signature, targets: [MaskedSegment], length: Int, parameters: MatchingParameters) {
        guard let tracer = ContrastTracer(recording, targets: targets, length: length) else { return nil }
        self.tracer = tracer
        self.parameters = parameters
    }

    /// Traces seeds that landmarks do not confirm.
    mutating func follow(_ seeds: [PlayTracer.Seed]) {
        // In order of time, the order in which the map computes and keeps its blocks.
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

    /// Appends the accepted plays to those that landmarks confirm.
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
                // Louder music is decided by its landmarks. What fits about as well as a faint play is the same
                // recording.
                guard owner >= first, chosen[owner].duplicateOf == nil,
                    let surer = chosen[owner].trace.faint,
                    evidence.deviations >= Self.duplicateDeviations * surer.deviations
                else { continue }
            }
            // A loop that two recordings share fits at many places, and none of them is right.
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

    /// Returns the evidence of a faint play with its bits and score; `nil` if it is too weak, or if another reference
    /// fits as well.
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
