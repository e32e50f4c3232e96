import EarshotCore
import EarshotSignatures
import Foundation

/// A play that goes on, with the line on which it does. Places in the stream are in steps.
struct ActivePlay: Sendable {
    var play: TrackedPlay
    /// The line, seen from the stream's step zero.
    var alignment: Alignment
    private(set) var begin: Int
    private(set) var end: Int
    /// The time at which it was last detected by a quick check.
    var heardAt: Int
    var wasHeard = true
    /// `true` if the stream has broken off since, so that only its wall-clock place is known.
    var isSuspended = false
    /// Further lines on which the same stretch fits, as the differences of their offsets.
    var alternatives: [Double] = []

    /// The largest distance of later findings from a line: 0.5 s.
    private static let tolerance = Double(Landmark.stepsPerSecond) / 2
    /// The same behind a break, where a stream may begin with seconds that it sent before: 30 s.
    private static let breakTolerance = 30 * Double(Landmark.stepsPerSecond)

    /// A play of a window, on the stream's timeline.
    struct Part {
        let play: Play
        let twins: [Play]
        /// The line, seen from the stream's step zero.
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

        /// The play's placement with the stream's timeline as the recording's.
        var placement: Placement {
            var placement = play.placement
            placement.offset = PlayFinder.time(alignment.offset)
            placement.queryRange = PlayTracker.time(begin)..<PlayTracker.time(end)
            // What holds of a window need not hold of the play.
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

    /// Returns `true` if a finding lies on this line.
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

    /// A finding from which the line is followed again in a window.
    func seed(within window: Range<Int>, in targets: [MaskedSegment]) -> PlayTracer.Seed? {
        guard let (segment, reference) = targets.location(of: play.id) else { return nil }
        let known = (begin..<max(begin + 1, max(end, heardAt))).clamped(to: window)
        guard known.count >= Landmark.stepsPerSecond else { return nil }
        // The last of it, for at its begin the line may be off by what the speed is.
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
            // The same recording under another name has a timeline of its own.
            distance = twin == nil ? .infinity : 0
        }
        return isNear(distance)
    }

    /// Returns `true` if a play of the window is another place of the same reference, heard while this one is: a
    /// reference that repeats itself fits in several places, and is not heard twice at once.
    func overlaps(_ part: Part) -> Bool {
        guard part.play.id == play.id else { return false }
        let shared = (part.begin..<max(part.begin, part.end)).clamped(to: begin..<max(begin, max(end, heardAt))).count
        return shared >= 2 * Landmark.stepsPerSecond && 3 * shared >= min(part.end - part.begin, end - begin)
    }

    /// Takes what a window shows of it.
    mutating func take(_ part: Part, window: Range<Int>) {
        // What began before the window has its begin from then.
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

    /// Takes the line and the certainty of a part.
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
        // The place before this one may fit better again in the next window.
        if abs(old) > Self.tolerance, part.play.id == play.id { alternatives.append(old) }
    }

    private mutating func note(_ part: Part) {
        alternatives = part.play.alternatives.map { ($0 - part.play.offset).seconds * Double(Landmark.stepsPerSecond) }
    }

    /// Returns `true` if a play behind a break is the one from before it: the same reference, about as far on as time
    /// has gone by.
    func resumes(_ part: Part, patience: Int) -> Bool {
        // What was played to its end and is heard again is played again.
        guard isSuspended, part.play.id == play.id, part.begin >= end, part.begin - end <= patience, !hasReachedEnd
        else {
            return false
        }
        let quarter = play.referenceDuration.seconds * Double(Landmark.stepsPerSecond) / 4
        return abs(part.place(part.begin) - place(part.begin)) < min(Self.breakTolerance, quarter)
    }

    /// Goes on over a break in which the line went on too.
    mutating func rejoin(_ part: Part, window: Range<Int>, lost: Int) {
        isSuspended = false
        play.lost = play.lost + PlayTracker.time(max(0, lost))
        take(part, window: window)
    }

    /// Goes on behind a break.
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

    /// `true` if nothing of the reference is left that could be heard.
    var hasReachedEnd: Bool {
        play.referenceDuration - play.referenceRange.upperBound < MediaTime(value: 2, timescale: 1)
    }
}
