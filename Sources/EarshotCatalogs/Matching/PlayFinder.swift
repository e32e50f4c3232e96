import EarshotCore
import EarshotSignatures
import Foundation

/// Turns candidates found in the slices of a recording into plays.
///
/// Slices only say where to look. Each candidate is traced along its line to where the reference begins and ends, so
/// the plays depend on the recording and hardly on how it was cut. Of plays that rest on the same landmarks, the one
/// with the most evidence is kept. A repeat inside a track becomes an alternative offset, a shared sample is dropped,
/// and the same recording under another name becomes a duplicate.
struct PlayFinder {
    /// The share of a play's evidence that must remain after surer plays have taken their landmarks.
    private static let ownShare = 0.35
    /// The share of the surer play, or of its own reference, that a duplicate covers.
    private static let duplicateShare = 0.7
    /// The least excess of a duplicate over chance, relative to that of the surer play.
    private static let duplicateExcess = 0.5
    /// The largest distance of another candidate from a line, in steps: 0.25 s.
    static let lineTolerance = 0.25 * Double(Landmark.stepsPerSecond)
    /// The least evidence, in nats, of a play that has an answered slice, and of one whose slices are all below the
    /// threshold.
    private static let leastEvidence = 20.0
    private static let leastEvidenceAlone = 120.0
    /// The least share of matching landmarks above chance. A reference that happens to be in step with the beat of
    /// another song fits a little more than chance, for minutes. In the first mixes of `scripts/data/make-mixes` such
    /// lines reached 0.06, in others a little more, and plays of quiet beds 0.09 or more.
    private static let leastExcess = 0.075
    /// The length of the shortest play, in steps: 1.5 s, or 8 s if all of its slices are below the threshold.
    private static let shortest = 3 * Landmark.stepsPerSecond / 2
    private static let shortestAlone = 8 * Landmark.stepsPerSecond
    /// The score, in nats, from which a candidate below the threshold is traced.
    static let leastSeedScore = -2.0
    /// The distance of the contrast map from chance, in standard deviations, from which a candidate is traced by the
    /// spectrogram even if its score is lower.
    static let leastContrast = 5.0
    /// The largest number of candidates below the threshold that are traced for one slice.
    private static let seedLimit = 4

    let tracer: PlayTracer
    let targets: [MaskedSegment]
    let parameters: MatchingParameters
    /// The candidates that have not been traced yet.
    private var seeds: [PlayTracer.Seed] = []
    /// The results of tracing, by the order in which the seeds were added.
    private(set) var followed: [Int: PlayTracer.Followed] = [:]
    private var traces: [[Int]: [PlayTracer.Trace]] = [:]
    /// The plays that only the spectrogram confirms; `nil` if the recording has none.
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

    /// Adds the candidates of a slice: answers, and the best of those below the threshold.
    ///
    /// - Parameters:
    ///   - candidates: The candidates, best first.
    ///   - slice: The slice's part of the recording, in steps.
    mutating func add(_ candidates: [Candidate], in slice: Range<Int>) {
        seeds += Self.seeds(candidates, in: slice, parameters)
    }

    /// Adds a seed.
    mutating func add(_ seed: PlayTracer.Seed) { seeds.append(seed) }

    /// Returns the candidates of a slice that are to be traced.
    static func seeds(
        _ candidates: [Candidate],
        in slice: Range<Int>,
        _ parameters: MatchingParameters
    ) -> [PlayTracer.Seed] {
        var seeds: [PlayTracer.Seed] = []
        var count = 0
        var faintCount = 0
        for candidate in candidates {
            // Whole plays are scored by landmarks, and by the spectrogram if landmarks do not confirm them.
            let score = candidate.landmarkScore ?? candidate.score
            // A candidate that is no answer has no span yet. It may be heard in all of the slice.
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

    /// Returns the plays of all candidates so far, in order of time.
    ///
    /// - Throws: `catalogInvalid` if a reference cannot be read.
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

    /// Returns the recording without the landmarks of the plays so far, and the intervals of these plays, merged.
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

    /// Traces every line among the candidates once.
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
            // Two seeds may lead to one line from its two ends.
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
        // The score is computed last, because it takes the longest.
        isPlausible(trace) && score(trace) >= parameters.threshold
    }

    /// Returns `true` if a trace fits well enough, and for long enough, to be scored.
    private func isPlausible(_ trace: PlayTracer.Trace) -> Bool {
        let isAnswered = trace.seedScore >= parameters.threshold
        return trace.excess >= Self.leastExcess
            && trace.evidence >= (isAnswered ? Self.leastEvidence : Self.leastEvidenceAlone)
            && trace.stretch.count >= (isAnswered ? Self.shortest : Self.shortestAlone)
    }

    /// Returns `true` if a line has the original speed and pitch, within 0.2 % and a quarter of a bin.
    static func isPlain(_ alignment: Alignment) -> Bool {
        abs(alignment.speed - 1) < 0.002 && abs(alignment.pitch) < 2
    }

    // MARK: - Choice

    /// An accepted play, with other offsets of it and the play that it duplicates.
    struct Chosen {
        var trace: PlayTracer.Trace
        var alternatives: [Double] = []
        var duplicateOf: Int?
    }

    /// Returns the accepted plays, and for each landmark of the recording the index of the play that has it, or -1.
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
                // A repeat reaches beyond the surer play of the same reference. Only the rest of it is kept.
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

    /// Returns `true` if a surer play of the same reference covers more than half of an interval: a track is not heard
    /// twice at once.
    private static func covers(_ first: PlayTracer.Trace, _ second: PlayTracer.Trace, _ stretch: Range<Int>) -> Bool {
        first.segment == second.segment && first.reference == second.reference
            && 2 * first.stretch.clamped(to: stretch).count > stretch.count
    }

    /// Records a trace whose audio a surer play explains: as another offset of the same reference, as a duplicate, or
    /// not at all.
    private func explain(_ trace: PlayTracer.Trace, by owner: Int, in chosen: inout [Chosen]) {
        // A duplicate of a duplicate belongs to the same play.
        let owner = chosen[owner].duplicateOf ?? owner
        let surer = chosen[owner].trace
        if surer.segment == trace.segment, surer.reference == trace.reference {
            let isNew = !chosen[owner].alternatives.contains {
                abs($0 - trace.alignment.offset) < Self.lineTolerance
            }
            // It counts as an alternative of the whole play if it covers most of it.
            if isNew, Double(trace.stretch.count) >= Self.duplicateShare * Double(surer.stretch.count) {
                chosen[owner].alternatives.append(trace.alignment.offset)
            }
            return
        }
        // The same audio fits about as well. If it fits far less, only a beat or a sample is shared.
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
