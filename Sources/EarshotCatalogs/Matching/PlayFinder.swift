import EarshotCore
import EarshotSignatures
import Foundation

/// Makes plays of what was found in the slices of a recording.
///
/// Slices only say where to look. Each finding is followed along its line to where the reference begins and ends, so the
/// plays depend on the recording alone and hardly on how it was cut. Of plays that rest on the same landmarks the one
/// with the most evidence stands: a repeat inside a track is another offset of it, a shared sample nothing, the same
/// recording under another name a duplicate.
struct PlayFinder {
    /// The share of a play's evidence that must be left when surer plays have had theirs.
    private static let ownShare = 0.35
    /// The part of the more certain play, or of its own reference, that a duplicate covers.
    private static let duplicateShare = 0.7
    /// The fit of a duplicate above chance, as a part of that of the more certain play.
    private static let duplicateExcess = 0.5
    /// The largest distance of the next finding from a line: 0.25 s.
    static let lineTolerance = 0.25 * Double(Landmark.stepsPerSecond)
    /// The evidence that a play needs whose slices were answers, and one whose slices all were below the threshold.
    private static let leastEvidence = 20.0
    private static let leastEvidenceAlone = 120.0
    /// The required share of fitting landmarks above chance. A reference that happens to be in step with the beat of
    /// another song fits a little more than chance, for minutes; in the first mixes of `scripts/data/make-mixes` such
    /// lines came to 0.06, in others to a little more, plays of quiet beds to 0.09 and more.
    private static let leastExcess = 0.075
    /// The length of the shortest play: 1.5 s; of one whose slices all were below the threshold, 8 s.
    private static let shortest = 3 * Landmark.stepsPerSecond / 2
    private static let shortestAlone = 8 * Landmark.stepsPerSecond
    /// The score from which on a finding below the threshold is followed.
    static let leastSeedScore = -2.0
    /// The distance of the contrast map from chance from which on it is followed by its spectrogram, whatever its score.
    static let leastContrast = 5.0
    /// Findings of one slice below the threshold that are followed, at most.
    private static let seedLimit = 4

    let tracer: PlayTracer
    let targets: [MaskedSegment]
    let parameters: MatchingParameters
    /// Findings that were not followed yet, and the lines that were, by segment and reference.
    private var seeds: [PlayTracer.Seed] = []
    /// Results of following the findings, by the order in which these were added.
    private(set) var followed: [Int: PlayTracer.Followed] = [:]
    private var traces: [[Int]: [PlayTracer.Trace]] = [:]
    /// Plays that only the spectrogram bears out; nil without one.
    private var faint: FaintPlays?

    init(_ recording: Signature, targets: [MaskedSegment], parameters: MatchingParameters) {
        tracer = PlayTracer(
            landmarks: recording.thinned(to: parameters.queryDensity).landmarks,
            length: Int(recording.duration.converted(toTimescale: Int32(Landmark.stepsPerSecond)).value)
        )
        self.targets = targets
        self.parameters = parameters
        faint = FaintPlays(recording, targets: targets, length: tracer.length, parameters: parameters)
    }

    // MARK: - Findings

    /// Takes what was weighed for a slice: answers, and what comes near one.
    ///
    /// - Parameters:
    ///   - candidates: Best first.
    ///   - slice: The slice's part of the recording, in steps.
    mutating func add(_ candidates: [Candidate], in slice: Range<Int>) {
        seeds += Self.seeds(candidates, in: slice, parameters)
    }

    /// Takes a finding.
    mutating func add(_ seed: PlayTracer.Seed) { seeds.append(seed) }

    /// The candidates of a slice that are to be traced.
    static func seeds(
        _ candidates: [Candidate],
        in slice: Range<Int>,
        _ parameters: MatchingParameters
    ) -> [PlayTracer.Seed] {
        var seeds: [PlayTracer.Seed] = []
        var count = 0
        var faintCount = 0
        for candidate in candidates {
            // Whole plays are weighed by landmarks, and by the spectrogram where these do not bear them out.
            let score = candidate.landmarkScore ?? candidate.score
            // What is no answer has no span yet: it may be heard in all of the slice.
            let isAnswer = score >= parameters.threshold
            if !isAnswer {
                if max(score, candidate.score) >= leastSeedScore, count < seedLimit {
                    count += 1
                } else if candidate.contrast?.deviations ?? 0 >= leastContrast, faintCount < seedLimit {
                    faintCount += 1
                } else {
                    continue
                }
            }
            let begin = isAnswer ? slice.lowerBound + Int(candidate.span.lowerBound) : slice.lowerBound
            let end = isAnswer ? slice.lowerBound + Int(candidate.span.upperBound) : slice.upperBound
            var alignment = candidate.alignment
            alignment.offset -= alignment.speed * Double(slice.lowerBound)
            seeds.append(
                PlayTracer.Seed(
                    segment: candidate.segment,
                    reference: candidate.reference,
                    alignment: alignment,
                    stretch: begin..<max(begin + 1, end),
                    score: score,
                    together: candidate.score,
                    contrast: candidate.contrast?.deviations ?? 0
                )
            )
        }
        return seeds
    }

    // MARK: - Plays

    /// The plays of all findings so far, in order of the recording.
    ///
    /// - Throws: `catalogInvalid` when a reference cannot be read.
    mutating func plays(progress: (Double) -> Void) throws(EarshotError) -> [Play] {
        follow(progress)
        var plays: [Play] = []
        let (chosen, _) = choose()
        for one in chosen {
            var play = try play(one)
            play.duplicateOf = one.duplicateOf.flatMap { owner in
                let trace = chosen[owner].trace
                return targets[trace.segment].segment.id(trace.reference)
            }
            plays.append(play)
        }
        return plays.sorted(by: Play.isBefore)
    }

    /// The rest of a recording without the plays so far: its landmarks that are not theirs, and the intervals of the
    /// plays.
    mutating func rest(of recording: Signature) -> (signature: Signature, stretches: [Range<MediaTime>]) {
        follow { _ in }
        let (chosen, owners) = choose()
        let left = tracer.landmarks.indices.filter { owners[$0] < 0 }.map { tracer.landmarks[$0] }
        let signature = Signature(
            configuration: recording.configuration,
            duration: recording.duration,
            landmarks: left
        )
        var stretches: [Range<MediaTime>] = []
        for stretch in chosen.map(\.trace.stretch).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let range =
                Self.time(Double(stretch.lowerBound))..<Self.time(Double(stretch.upperBound))
            if let last = stretches.last, range.lowerBound <= last.upperBound {
                stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                stretches.append(range)
            }
        }
        return (signature, stretches)
    }

    /// Follows every line among the findings, once each.
    private mutating func follow(_ progress: (Double) -> Void) {
        let order = seeds.enumerated().sorted {
            let (first, second) = ($0.element, $1.element)
            if first.score != second.score { return first.score > second.score }
            return (first.stretch.lowerBound, first.segment, first.reference, first.alignment.offset)
                < (second.stretch.lowerBound, second.segment, second.reference, second.alignment.offset)
        }
        seeds = []
        var quiet: [PlayTracer.Seed] = []
        for (position, (index, seed)) in order.enumerated() {
            progress(Double(position + 1) / Double(order.count))
            let key = [seed.segment, seed.reference]
            let middle = (seed.stretch.lowerBound + seed.stretch.upperBound) / 2
            let place = seed.alignment.offset + seed.alignment.speed * Double(middle)
            let isKnown = traces[key, default: []].contains {
                $0.stretch.contains(middle) && abs($0.place(middle) - place) < Self.lineTolerance
            }
            if isKnown { continue }
            var found: PlayTracer.Trace?
            if max(seed.score, seed.together) >= Self.leastSeedScore {
                var result = seed.followed ?? tracer.trace(seed, in: targets[seed.segment].segment)
                if let trace = result.trace, trace.whole == nil, isPlausible(trace) {
                    result.trace?.whole = whole(trace)
                }
                followed[index] = result
                found = result.trace
            }
            if found.map({ !isSupported($0) }) ?? true { quiet.append(seed) }
            guard let trace = found else { continue }
            // Two seeds may lead onto one line from its two ends.
            let twin = traces[key, default: []].firstIndex { Self.isSame($0, trace) }
            if let twin, var known = traces[key]?[twin] {
                if trace.evidence > known.evidence {
                    let score = max(trace.seedScore, known.seedScore)
                    known = trace
                    known.seedScore = score
                }
                traces[key]?[twin] = known
            } else {
                traces[key, default: []].append(trace)
            }
        }
        faint?.follow(quiet)
    }

    static func isSame(_ first: PlayTracer.Trace, _ second: PlayTracer.Trace) -> Bool {
        let shared = first.stretch.clamped(to: second.stretch)
        guard !shared.isEmpty else { return false }
        let middle = (shared.lowerBound + shared.upperBound) / 2
        return abs(first.place(middle) - second.place(middle)) < lineTolerance
    }

    private func isSupported(_ trace: PlayTracer.Trace) -> Bool {
        // The score last, because it takes the longest.
        isPlausible(trace) && score(trace) >= parameters.threshold
    }

    /// Returns `true` if a trace fits well enough, and for long enough, to be weighed.
    private func isPlausible(_ trace: PlayTracer.Trace) -> Bool {
        let isAnswered = trace.seedScore >= parameters.threshold
        return trace.excess >= Self.leastExcess
            && trace.evidence >= (isAnswered ? Self.leastEvidence : Self.leastEvidenceAlone)
            && trace.stretch.count >= (isAnswered ? Self.shortest : Self.shortestAlone)
    }

    /// Returns `true` if a line has its reference's own speed and pitch, within 0.2 % and a quarter of a bin.
    static func isPlain(_ alignment: Alignment) -> Bool {
        abs(alignment.speed - 1) < 0.002 && abs(alignment.pitch) < 2
    }

    // MARK: - Choice

    /// A play that stands, and what else its audio is.
    struct Chosen {
        var trace: PlayTracer.Trace
        var alternatives: [Double] = []
        var duplicateOf: Int?
    }

    /// The plays that stand, and for each landmark of the recording the play that has it, or -1.
    private mutating func choose() -> (chosen: [Chosen], owners: [Int32]) {
        let order = traces.values.joined().filter { isSupported($0) }.sorted {
            if $0.evidence != $1.evidence { return $0.evidence > $1.evidence }
            return ($0.stretch.lowerBound, $0.segment, $0.reference, $0.alignment.offset)
                < ($1.stretch.lowerBound, $1.segment, $1.reference, $1.alignment.offset)
        }
        var chosen: [Chosen] = []
        var owners = [Int32](repeating: -1, count: tracer.landmarks.count)
        for var trace in order {
            let profile = tracer.profile(
                trace.stretch,
                trace.alignment,
                targets[trace.segment].segment,
                trace.reference
            )
            let gains = profile.gains(excess: trace.excess)
            var own = gains
            var shared: [Int: Int] = [:]
            for index in profile.indices(trace.stretch) where owners[profile.first + index] >= 0 {
                own[index] = 0
                if profile.hits[index] { shared[Int(owners[profile.first + index]), default: 0] += 1 }
            }
            let rest = own.reduce(0, +)
            if rest < Self.ownShare * trace.evidence || rest < Self.leastEvidence {
                let owner = shared.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
                if let owner { explain(trace, by: owner, in: &chosen) }
                continue
            }
            if chosen.contains(where: { Self.isRival($0.trace, trace) }) {
                // A repeat reaches beyond the surer play of the same reference: what is left of it stands.
                guard let rest = profile.stretches(own).max(by: { $0.count < $1.count }), rest.count >= Self.shortest,
                    !chosen.contains(where: { Self.covers($0.trace, trace, rest) })
                else { continue }
                trace.stretch = rest
                trace.whole = nil
                trace.tally = profile.tally(rest)
                trace.evidence = profile.indices(rest).reduce(0) { $0 + own[$1] }
            }
            for index in profile.indices(trace.stretch)
            where profile.hits[index] && owners[profile.first + index] < 0 {
                owners[profile.first + index] = Int32(chosen.count)
            }
            chosen.append(Chosen(trace: trace))
        }
        faint?.choose(besides: &chosen)
        return (chosen, owners)
    }

    static func isRival(_ first: PlayTracer.Trace, _ second: PlayTracer.Trace) -> Bool {
        first.segment == second.segment && first.reference == second.reference
            && first.stretch.overlaps(second.stretch)
    }

    /// Returns `true` if a surer play of the same reference lies over most of a stretch: a track is not heard twice at
    /// once.
    private static func covers(_ first: PlayTracer.Trace, _ second: PlayTracer.Trace, _ stretch: Range<Int>) -> Bool {
        first.segment == second.segment && first.reference == second.reference
            && 2 * first.stretch.clamped(to: stretch).count > stretch.count
    }

    /// Keeps a trace whose audio a surer play explains for what it still says.
    private func explain(_ trace: PlayTracer.Trace, by owner: Int, in chosen: inout [Chosen]) {
        // A duplicate's duplicate is one of the same play.
        let owner = chosen[owner].duplicateOf ?? owner
        let surer = chosen[owner].trace
        if surer.segment == trace.segment, surer.reference == trace.reference {
            let isNew = !chosen[owner].alternatives.contains {
                abs($0 - trace.alignment.offset) < Self.lineTolerance
            }
            // The same place of the recording, told by where the surer play begins.
            if isNew, Double(trace.stretch.count) >= Self.duplicateShare * Double(surer.stretch.count) {
                chosen[owner].alternatives.append(trace.alignment.offset)
            }
            return
        }
        // The same audio fits about as well. What fits far less shares a beat or a sample.
        guard trace.excess >= Self.duplicateExcess * surer.excess else { return }
        let known = chosen.firstIndex {
            $0.duplicateOf == owner && $0.trace.segment == trace.segment && $0.trace.reference == trace.reference
        }
        if let known {
            chosen[known].alternatives.append(trace.alignment.offset)
            return
        }
        let record = targets[trace.segment].segment.records[trace.reference]
        let whole = Double(record.frameCount * Landmark.stepsPerFrame)
        let covered = Double(trace.stretch.count)
        guard
            covered >= Self.duplicateShare * Double(surer.stretch.count)
                || covered * trace.alignment.speed >= Self.duplicateShare * whole
        else { return }
        chosen.append(Chosen(trace: trace, duplicateOf: owner))
    }
}
