import EarshotSignatures
import Foundation

/// Traces a reference through a recording, from a slice in which it was found to where it begins and ends.
struct PlayTracer {
    /// The longest pause of a play on one line, in steps: 20 s.
    private static let patience = 20 * Landmark.stepsPerSecond
    /// The distance beyond the certain part to which the line is traced in the first round: 10 s. The speed measured
    /// over a slice is not exact enough for more.
    private static let firstReach = 10 * Landmark.stepsPerSecond
    /// The largest number of rounds; each can nearly triple the length.
    private static let roundLimit = 16

    /// The landmarks of the recording, thinned as in queries.
    let landmarks: [Landmark]
    /// The length of the recording, in steps of 2 ms.
    let length: Int

    /// A candidate of a slice: the alignment, the part of the recording that fits, and the score.
    struct Seed: Sendable {
        var segment: Int
        var reference: Int
        /// The alignment, with the recording's start as zero of the query's time.
        var alignment: Alignment
        var stretch: Range<Int>
        /// The score of the landmarks there, in nats.
        var score: Double
        /// The joint score of landmarks, map and bits, in nats.
        var together = -Double.infinity
        /// The distance of the contrast map from chance there, in standard deviations; 0 if it was not read.
        var contrast = 0.0
        /// The result of tracing it in an earlier pass over the recording, if more of the recording cannot change it.
        var followed: Followed?
        /// `true` once a pass over the recording had it among its candidates.
        var wasLookedAt = false
    }

    /// The result of tracing a seed.
    struct Followed: Sendable {
        /// The trace; `nil` if the landmarks around the seed do not confirm it.
        var trace: Trace?
        /// The part of the recording that was examined, in steps; it may reach beyond both ends.
        var reach: Range<Int>
    }

    /// A play, traced to both ends.
    struct Trace: Sendable {
        var segment: Int
        var reference: Int
        /// The alignment, with the recording's start as zero of the query's time.
        var alignment: Alignment
        /// The part of the recording, in steps, including pauses.
        var stretch: Range<Int>
        var tally: AlignmentProfile.Tally
        /// The best score of a slice in it, in nats.
        var seedScore: Double
        /// The log-likelihood ratio of the reference being heard against it not being heard, in nats.
        var evidence: Double
        /// The evidence of all landmarks in the interval; `nil` until it is computed, and after the interval has
        /// changed.
        var whole: Whole?
        /// The evidence of the spectrogram, if landmarks alone do not confirm the play.
        var faint: ContrastTracer.Evidence?

        /// The evidence of all landmarks in an interval.
        struct Whole: Sendable {
            /// The score in nats, on the scale of the matcher's score.
            var score: Double
            /// `true` if the evidence supports the reference.
            var isInFavor: Bool
        }

        /// The share of matching landmarks less that of chance, at least 0.02.
        var excess: Double { max(0.02, tally.share - tally.chance) }

        /// Returns the position in the reference at a step of the recording, in steps.
        func place(_ step: Int) -> Double { alignment.offset + alignment.speed * Double(step) }
    }

    /// Returns the landmarks of an interval of the recording.
    func landmarks(in stretch: Range<Int>) -> ArraySlice<Landmark> {
        let first = landmarks.partitioningIndex { Int($0.time) >= stretch.lowerBound }
        let end = landmarks.partitioningIndex { Int($0.time) >= stretch.upperBound }
        return landmarks[first..<max(first, end)]
    }

    /// Traces a seed to both sides until its interval no longer changes.
    func trace(_ seed: Seed, in segment: Segment) -> Followed {
        var reached = seed.stretch
        var alignment = seed.alignment
        var core = seed.stretch
        var trace: Trace?
        var looked = core
        for _ in 0..<Self.roundLimit {
            alignment = followed(alignment, over: core, segment, seed.reference)
            guard SearchRange.contains(alignment) else { break }
            let reach = max(Self.firstReach, core.count)
            let wanted = core.lowerBound - reach..<core.upperBound + reach
            reached = min(reached.lowerBound, wanted.lowerBound)..<max(reached.upperBound, wanted.upperBound)
            let region = max(0, wanted.lowerBound)..<min(length, wanted.upperBound)
            let profile = profile(region, alignment, segment, seed.reference)
            let tally = profile.tally(core)
            let gains = profile.gains(excess: tally.share - tally.chance)
            guard let joined = Self.joined(profile.stretches(gains), around: core) else { break }
            let full = profile.tally(joined)
            let before = core
            core = joined
            trace = Trace(
                segment: seed.segment,
                reference: seed.reference,
                alignment: alignment,
                stretch: joined,
                tally: full,
                seedScore: seed.score,
                evidence: profile.indices(joined).reduce(0) { $0 + gains[$1] }
            )
            let isSettled = abs(core.lowerBound - before.lowerBound) + abs(core.upperBound - before.upperBound) < 50
            if isSettled, looked == region || !Self.touches(core, region, length) { break }
            looked = region
        }
        return Followed(trace: trace, reach: reached)
    }

    /// Returns the fit of a region of the recording along a line.
    func profile(_ region: Range<Int>, _ alignment: Alignment, _ segment: Segment, _ reference: Int) -> AlignmentProfile
    {
        AlignmentProfile(landmarks, region: region, segment: segment, reference: reference, alignment: alignment)
    }

    /// Returns `true` if an interval comes within 2 s of an end of the region, and the recording goes on there.
    static func touches(_ stretch: Range<Int>, _ region: Range<Int>, _ length: Int) -> Bool {
        let near = 2 * Landmark.stepsPerSecond
        return stretch.lowerBound < region.lowerBound + near && region.lowerBound > 0
            || stretch.upperBound > region.upperBound - near && region.upperBound < length
    }

    /// Joins the interval that overlaps the known part most with those that follow or precede it after pauses of at
    /// most 20 s; `nil` if none overlaps.
    static func joined(_ stretches: [Range<Int>], around core: Range<Int>) -> Range<Int>? {
        guard let known = stretches.indices.max(by: { shared(stretches[$0], core) < shared(stretches[$1], core) }),
            shared(stretches[known], core) > 0
        else { return nil }
        var result = stretches[known]
        for stretch in stretches[..<known].reversed() {
            guard stretch.upperBound + patience >= result.lowerBound else { break }
            result = stretch.lowerBound..<result.upperBound
        }
        for stretch in stretches[(known + 1)...] {
            guard stretch.lowerBound <= result.upperBound + patience else { break }
            result = result.lowerBound..<stretch.upperBound
        }
        return result
    }

    private static func shared(_ first: Range<Int>, _ second: Range<Int>) -> Int { first.clamped(to: second).count }

    /// Returns the line fitted to an interval of the recording; the given line if that fits no worse.
    private func followed(
        _ alignment: Alignment,
        over stretch: Range<Int>,
        _ segment: Segment,
        _ reference: Int
    ) -> Alignment {
        let first = landmarks.partitioningIndex { Int($0.time) >= stretch.lowerBound }
        let end = landmarks.partitioningIndex { Int($0.time) >= stretch.upperBound }
        guard first < end else { return alignment }
        // Times start at zero here, because large times would cost precision.
        let base = landmarks[first].time
        let part = landmarks[first..<end].map {
            Landmark(time: $0.time - base, frequency: $0.frequency, tier: $0.tier)
        }
        let verifier = Verifier(part)
        var local = alignment
        local.offset += alignment.speed * Double(base)
        let margin = 2 * Landmark.stepsPerSecond
        let low = Int(local.offset) - margin
        let high = Int(local.offset + local.speed * verifier.lastTime) + margin
        let window = ReferenceWindow(segment, reference: reference, steps: low..<max(low, high))
        var followed = verifier.follow(local, on: window)
        guard verifier.tally(on: window, followed).matched >= verifier.tally(on: window, local).matched,
            SearchRange.contains(followed)
        else { return alignment }
        followed.offset -= followed.speed * Double(base)
        return followed
    }
}
