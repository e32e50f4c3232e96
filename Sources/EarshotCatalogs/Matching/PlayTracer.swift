import EarshotSignatures
import Foundation

/// Follows a reference through a recording, from a slice in which it was found to where it begins and ends.
struct PlayTracer {
    /// The longest pause of a play on one line: 20 s.
    private static let patience = 20 * Landmark.stepsPerSecond
    /// The distance beyond the certain part over which the line is tried at first: 10 s. The speed measured over a
    /// slice is not exact enough for more.
    private static let firstReach = 10 * Landmark.stepsPerSecond
    /// Rounds of following; each can nearly triple the length.
    private static let roundLimit = 16

    /// The landmarks of the recording, thinned as queries are.
    let landmarks: [Landmark]
    /// The length of the recording, in steps.
    let length: Int

    /// The result of matching a slice: the alignment, the part of the recording that fits, and the score.
    struct Seed: Sendable {
        var segment: Int
        var reference: Int
        /// From the recording's first instant on.
        var alignment: Alignment
        var stretch: Range<Int>
        /// The score of the landmarks there.
        var score: Double
        /// The score of landmarks, map and bits together.
        var together = -Double.infinity
        /// The distance of the contrast map from chance there; 0 where it was not read.
        var contrast = 0.0
        /// The result of following it in an earlier look at the recording, if more of the recording changes nothing.
        var followed: Followed?
        /// True once a look at the recording had it among its findings.
        var wasLookedAt = false
    }

    /// The result of following a seed.
    struct Followed: Sendable {
        /// nil when the landmarks around the seed do not bear it out.
        var trace: Trace?
        /// The part of the recording that was looked at; it may reach beyond what there is.
        var reach: Range<Int>
    }

    /// A play as far as it goes.
    struct Trace: Sendable {
        var segment: Int
        var reference: Int
        /// From the recording's first instant on.
        var alignment: Alignment
        /// The part of the recording, in steps, with the pauses in it.
        var stretch: Range<Int>
        var tally: AlignmentProfile.Tally
        /// The best score of a slice in it.
        var seedScore: Double
        /// The log-likelihood that the reference is heard against that it is not.
        var evidence: Double
        /// The evidence of all landmarks in the stretch; nil until it is asked for, and when the stretch has changed.
        var whole: Whole?
        /// The evidence of the spectrogram for a play that landmarks alone do not bear out.
        var faint: ContrastTracer.Evidence?

        /// The evidence of all landmarks in a stretch.
        struct Whole: Sendable {
            /// In nats, on the scale of the matcher's score.
            var score: Double
            /// `true` if they speak for the reference at all.
            var isInFavor: Bool
        }

        /// The share of landmarks that fit above what chance gives.
        var excess: Double { max(0.02, tally.share - tally.chance) }

        /// The position in the reference of a step of the recording.
        func place(_ step: Int) -> Double { alignment.offset + alignment.speed * Double(step) }
    }

    /// The landmarks of a stretch of the recording.
    func landmarks(in stretch: Range<Int>) -> ArraySlice<Landmark> {
        let first = landmarks.partitioningIndex { Int($0.time) >= stretch.lowerBound }
        let end = landmarks.partitioningIndex { Int($0.time) >= stretch.upperBound }
        return landmarks[first..<max(first, end)]
    }

    /// Follows a seed.
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

    /// The fit of the recording along a line.
    func profile(_ region: Range<Int>, _ alignment: Alignment, _ segment: Segment, _ reference: Int) -> AlignmentProfile
    {
        AlignmentProfile(landmarks, region: region, segment: segment, reference: reference, alignment: alignment)
    }

    /// Returns `true` if a stretch comes so near to the end of what was looked at that there may be more.
    static func touches(_ stretch: Range<Int>, _ region: Range<Int>, _ length: Int) -> Bool {
        let near = 2 * Landmark.stepsPerSecond
        return stretch.lowerBound < region.lowerBound + near && region.lowerBound > 0
            || stretch.upperBound > region.upperBound - near && region.upperBound < length
    }

    /// The intervals that belong to a play: those that overlap its known part, and those that follow after a short
    /// pause.
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

    /// The line, fitted to a stretch of the recording.
    private func followed(
        _ alignment: Alignment,
        over stretch: Range<Int>,
        _ segment: Segment,
        _ reference: Int
    ) -> Alignment {
        let first = landmarks.partitioningIndex { Int($0.time) >= stretch.lowerBound }
        let end = landmarks.partitioningIndex { Int($0.time) >= stretch.upperBound }
        guard first < end else { return alignment }
        // Times from the middle of nothing would cost digits: the stretch begins at zero.
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
