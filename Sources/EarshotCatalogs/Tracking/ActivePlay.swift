import EarshotCore
import EarshotSignatures
import Foundation

/// A running play with its alignment. Positions in the stream are in steps of 2 ms.
struct ActivePlay: Sendable {
    var play: TrackedPlay
    /// The alignment, with the stream's step zero as zero of the query's time.
    var alignment: Alignment
    private(set) var begin: Int
    private(set) var end: Int
    /// The step at which a quick check last detected it.
    var heardAt: Int
    var wasHeard = true
    /// `true` if the stream was interrupted since then. The alignment is continued by wall-clock time.
    var isSuspended = false
    /// Other alignments on which the same interval fits, as differences of their offsets in steps.
    var alternatives: [Double] = []

    /// The largest distance of a later candidate from the alignment, in steps: 0.5 s.
    private static let tolerance = Double(Landmark.stepsPerSecond) / 2
    /// The same after an interruption, when a stream may begin with seconds that it sent before: 30 s.
    private static let breakTolerance = 30 * Double(Landmark.stepsPerSecond)

    /// A play found in a window, on the stream's timeline.
    struct Part {
        let play: Play
        let twins: [Play]
        /// The alignment, with the stream's step zero as zero of the query's time.
        let alignment: Alignment
        let begin: Int
        let end: Int

        init(_ play: Play, twins: [Play], from start: Int) {
            self.play = play
            self.twins = twins
            let second = Double(Landmark.stepsPerSecond)
            alignment = Alignment(
                offset: play.offset.seconds * second - (1 + play.speedSkew) * Double(start),
                speedSkew: play.speedSkew,
                pitchSkew: play.pitchSkew
            )
            begin = start + PlayTracker.steps(play.queryRange.lowerBound)
            end = start + PlayTracker.steps(play.queryRange.upperBound)
        }

        func place(_ step: Int) -> Double { alignment.position(at: Double(step)) }

        /// The play's placement on the stream's timeline.
        var placement: Placement {
            var placement = play.placement
            placement.offset = PlayFinder.time(alignment.offset)
            placement.queryRange = PlayTracker.time(begin)..<PlayTracker.time(end)
            // Shared material of a window does not apply to the whole play.
            placement.sharedMaterial = nil
            return placement
        }
    }

    init(_ part: Part, number: Int) {
        (alignment, begin, end, heardAt) = (part.alignment, part.begin, part.end, part.end)
        play = TrackedPlay(
            number: number,
            id: part.play.id,
            items: part.play.referenceItems,
            referenceDuration: part.play.referenceDuration,
            placement: part.placement,
            duplicates: part.twins.map(\.id)
        )
        note(part)
    }

    init(resuming play: TrackedPlay) {
        self.play = play
        begin = PlayTracker.steps(play.queryRange.lowerBound)
        end = PlayTracker.steps(play.queryRange.upperBound)
        let place = play.referenceRange.upperBound.seconds * Double(Landmark.stepsPerSecond)
        alignment = Alignment(
            offset: place - (1 + play.speedSkew) * Double(end),
            speedSkew: play.speedSkew,
            pitchSkew: play.pitchSkew
        )
        (heardAt, isSuspended) = (end, true)
    }

    private func place(_ step: Int) -> Double { alignment.position(at: Double(step)) }

    /// Returns `true` if a candidate lies on this alignment or one of its alternatives.
    func isOn(_ seed: PlayTracer.Seed, in targets: [MaskedSegment]) -> Bool {
        guard !isSuspended, let (segment, reference) = targets.location(of: play.id), segment == seed.segment,
            reference == seed.reference
        else { return false }
        let middle = (seed.stretch.lowerBound + seed.stretch.upperBound) / 2
        return isNear(seed.alignment.position(at: Double(middle)) - place(middle))
    }

    private func isNear(_ distance: Double) -> Bool {
        abs(distance) < Self.tolerance || alternatives.contains { abs(distance - $0) < Self.tolerance }
    }

    /// Returns a seed with which the play is traced again in a window; `nil` if less than 1 s of it lies there or its
    /// reference was removed.
    func seed(within window: Range<Int>, in targets: [MaskedSegment]) -> PlayTracer.Seed? {
        guard let (segment, reference) = targets.location(of: play.id) else { return nil }
        let known = (begin..<max(begin + 1, max(end, heardAt))).clamped(to: window)
        guard known.count >= Landmark.stepsPerSecond else { return nil }
        // The last 10 s of it: at its start the alignment may be off because the speed is not exact.
        let stretch = max(known.lowerBound, known.upperBound - 10 * Landmark.stepsPerSecond)..<known.upperBound
        return PlayTracer.Seed(
            segment: segment,
            reference: reference,
            alignment: alignment,
            stretch: stretch,
            score: play.score
        )
    }

    /// Returns `true` if a play of the window is this one.
    func continues(_ part: Part) -> Bool {
        guard part.begin <= end + 25 * Landmark.stepsPerSecond, part.end >= begin else { return false }
        let names = [part.play.id] + part.twins.map(\.id)
        guard names.contains(play.id) else { return false }
        let twin = part.twins.first { $0.id == play.id }
        let distance: Double
        if part.play.id == play.id {
            let step = min(max(part.begin, begin), part.end)
            distance = part.place(step) - place(step)
        } else {
            // The same recording under another name has its own timeline.
            distance = twin == nil ? .infinity : 0
        }
        return isNear(distance)
    }

    /// Returns `true` if a play of the window is another position of the same reference at the same time. A reference
    /// that repeats itself fits at several positions, but is not played twice at once.
    func overlaps(_ part: Part) -> Bool {
        guard part.play.id == play.id else { return false }
        let shared = (part.begin..<max(part.begin, part.end)).clamped(to: begin..<max(begin, max(end, heardAt))).count
        return shared >= 2 * Landmark.stepsPerSecond && 3 * shared >= min(part.end - part.begin, end - begin)
    }

    /// Updates the play with its part in a window.
    mutating func take(_ part: Part, window: Range<Int>) {
        // If the play began before the window, its start is kept.
        let isInside = begin >= window.lowerBound
        begin = isInside ? part.begin : min(begin, part.begin)
        end = max(part.end, isInside ? part.end : end)
        heardAt = max(heardAt, end)
        adopt(part)
        if isInside {
            play.referenceRange =
                min(
                    part.play.referenceRange.lowerBound,
                    part.play.referenceRange.upperBound
                )..<part.play.referenceRange.upperBound
        } else {
            let low = min(play.referenceRange.lowerBound, part.play.referenceRange.lowerBound)
            play.referenceRange = low..<max(low, part.play.referenceRange.upperBound)
        }
        play.queryRange = PlayTracker.time(begin)..<PlayTracker.time(max(begin, end))
    }

    /// Updates alignment, score and duplicates from a part.
    private mutating func adopt(_ part: Part) {
        let old = alignment.offset - part.alignment.offset
        if part.play.id == play.id {
            alignment = part.alignment
            play.offset = PlayFinder.time(alignment.offset)
            play.speedSkew = part.play.speedSkew
            play.pitchSkew = part.play.pitchSkew
        }
        play.score = max(play.score, part.play.score)
        play.confidence = max(play.confidence, part.play.confidence)
        for name in [part.play.id] + part.twins.map(\.id) where name != play.id && !play.duplicates.contains(name) {
            play.duplicates.append(name)
        }
        note(part)
        // The previous position may fit better again in the next window.
        if abs(old) > Self.tolerance, part.play.id == play.id { alternatives.append(old) }
    }

    private mutating func note(_ part: Part) {
        alternatives = part.play.alternatives.map { ($0 - part.play.offset).seconds * Double(Landmark.stepsPerSecond) }
    }

    /// Returns `true` if a play after an interruption continues this one: the same reference, advanced by about the
    /// elapsed time.
    func resumes(_ part: Part, patience: Int) -> Bool {
        // A reference that was played to its end and is heard again is another play.
        guard isSuspended, part.play.id == play.id, part.begin >= end, part.begin - end <= patience, !hasReachedEnd
        else {
            return false
        }
        let quarter = play.referenceDuration.seconds * Double(Landmark.stepsPerSecond) / 4
        return abs(part.place(part.begin) - place(part.begin)) < min(Self.breakTolerance, quarter)
    }

    /// Continues the play after an interruption during which the reference went on.
    mutating func rejoin(_ part: Part, window: Range<Int>, lost: Int) {
        isSuspended = false
        play.lost = play.lost + PlayTracker.time(max(0, lost))
        take(part, window: window)
    }

    /// Continues the play after an interruption.
    mutating func resume(_ part: Part) {
        isSuspended = false
        play.lost = play.lost + PlayTracker.time(max(0, part.begin - end))
        end = part.end
        heardAt = end
        adopt(part)
        let low = min(play.referenceRange.lowerBound, part.play.referenceRange.lowerBound)
        play.referenceRange = low..<max(low, part.play.referenceRange.upperBound)
        play.queryRange = PlayTracker.time(begin)..<PlayTracker.time(max(begin, end))
    }

    /// `true` if less than 2 s of the reference are left.
    var hasReachedEnd: Bool {
        play.referenceDuration - play.referenceRange.upperBound < MediaTime(value: 2, timescale: 1)
    }
}
