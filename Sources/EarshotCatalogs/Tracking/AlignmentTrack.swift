/// A reference that a stream is heard to play, followed look by look on its alignment: heard, moved elsewhere in the
/// reference, lost, found again.
///
/// A pure state machine over ``AlignmentTracker``. Times are the stream's, in seconds.
package struct AlignmentTrack: Sendable {
    /// The outcome of a look in which the reference was heard.
    package enum Change: Hashable, Sendable {
        /// The alignment continues; it was corrected by this many seconds of the reference.
        case heard(correction: Double)
        /// Playback has jumped within the reference, by this many seconds of it.
        case moved(by: Double)
    }

    /// The alignment.
    package private(set) var line: TrackedAlignment
    /// The time from which the alignment holds.
    package private(set) var since: Double
    /// The end of the last look in which it was heard.
    package private(set) var heardAt: Double
    /// `true` if it is heard now.
    package private(set) var isHeard = true
    /// `true` if it counts as lost.
    package private(set) var isLost = false
    /// The evidence of the stretch that the alignment was fitted to, in nats.
    package private(set) var evidence: Double
    /// The average evidence of a landmark, in nats.
    private var rate = 0.0
    /// The time at which other positions were last compared over the whole interval.
    private var comparedAt = -Double.infinity
    /// The time at which it was last searched for while lost.
    private var soughtAt = -Double.infinity
    /// A place elsewhere that the last look preferred.
    private var rival: TrackedAlignment?

    /// Begins with a reference that was just found.
    package init(_ line: TrackedAlignment, since: Double, heardAt: Double, evidence: Double) {
        (self.line, self.since, self.heardAt, self.evidence) = (line, since, heardAt, evidence)
    }

    /// `true` if it is heard and not lost.
    package var isActive: Bool { isHeard && !isLost }

    // MARK: - Changes from outside

    /// Goes on in another catalog.
    ///
    /// - Returns: `true` if the reference is there.
    package mutating func renew(_ tracker: AlignmentTracker) -> Bool {
        guard let line = tracker.renewed(line) else { return false }
        self.line = line
        return true
    }

    /// Goes on where a search has found the reference again.
    package mutating func resume(on line: TrackedAlignment, since: Double, heardAt: Double, evidence: Double) {
        (self.line, self.since, self.heardAt, self.evidence) = (line, since, heardAt, evidence)
        (isHeard, isLost, rival) = (true, false, nil)
    }

    /// Gives it up until it is found again.
    package mutating func lose() { (isHeard, isLost) = (false, true) }

    /// Marks it as not heard since before a break in the audio.
    package mutating func doubt(untilHeardAfter time: Double) {
        isHeard = false
        since = time
        rival = nil
        // After a step back these moments would lie ahead, and what waits for so long after them would not happen.
        heardAt = min(heardAt, time)
        comparedAt = min(comparedAt, time)
        soughtAt = min(soughtAt, time)
    }

    // MARK: - Looks

    /// Weighs the last moments of a stream, while the reference is not lost.
    ///
    /// - Returns: `nil` if it was not heard, or the alignment is too new to be weighed.
    package mutating func weigh(
        _ tail: StreamTail,
        _ tracker: AlignmentTracker,
        _ parameters: Parameters
    ) -> Change? {
        let end = tail.end
        let start = max(end - parameters.recent, since)
        guard end - start >= parameters.leastRecent else { return nil }
        let recent = tail.part(from: start).stretch
        guard !recent.isSparse else {
            isHeard = false
            return nil
        }
        let now = tracker.fit(recent, on: line, refines: false)
        let expected = rate * Double(now.inside)
        if now.evidence < max(parameters.heardRecently, parameters.doubtShare * expected) {
            let least = max(0, now.evidence) + parameters.moveEvidence
            if let place = place(recent, at: end, tracker, parameters, least: least) {
                return move(to: place, since: start + place.span.lowerBound, at: end)
            }
        } else {
            rival = nil
        }
        guard let heardAt = heardUntil(now, from: start, tail, tracker, parameters) else {
            isHeard = false
            return nil
        }
        isHeard = true
        self.heardAt = max(self.heardAt, heardAt)
        return confirm(now, tail, tracker, parameters)
    }

    /// Looks for a lost reference in itself, without asking the index.
    ///
    /// - Returns: `true` if it was found.
    package mutating func seek(_ tail: StreamTail, _ tracker: AlignmentTracker, _ parameters: Parameters) -> Bool {
        let end = tail.end
        guard end - soughtAt >= parameters.seekInterval - 1e-6 else { return false }
        soughtAt = end
        // What was heard before it was lost says nothing about now.
        let start = max(end - 2, heardAt)
        let stretch = tail.part(from: start).stretch
        guard end - start >= 1, !stretch.isSparse else { return false }
        let now = tracker.fit(stretch, on: line, refines: true)
        if now.evidence >= parameters.returnEvidence {
            line = now.line
        } else if let other = place(stretch, at: end, tracker, parameters, least: parameters.returnEvidence) {
            line = other.line
            evidence = other.evidence
        } else {
            return false
        }
        (isHeard, isLost) = (true, false)
        (since, heardAt) = (start, end)
        return true
    }

    // MARK: - Parts

    /// Until when it is heard, judged by its last moments; `nil` if it is not.
    private func heardUntil(
        _ now: AlignmentFit,
        from recent: Double,
        _ tail: StreamTail,
        _ tracker: AlignmentTracker,
        _ parameters: Parameters
    ) -> Double? {
        if now.evidence >= parameters.heardRecently { return recent + now.span.upperBound }
        // Under noise a moment may say little where more audio does.
        let start = max(tail.end - 4, since)
        guard tail.end - start >= 3, now.evidence > -parameters.heardRecently else { return nil }
        let lately = tracker.fit(tail.part(from: start).stretch, on: line, refines: false)
        return lately.evidence >= parameters.heardLately ? start + lately.span.upperBound : nil
    }

    /// Fits the alignment to the last seconds.
    private mutating func confirm(
        _ now: AlignmentFit,
        _ tail: StreamTail,
        _ tracker: AlignmentTracker,
        _ parameters: Parameters
    ) -> Change {
        let end = tail.end
        let share = now.evidence / Double(max(1, now.inside))
        rate = rate == 0 ? share : 0.8 * rate + 0.2 * share
        let start = max(end - parameters.fitted, since)
        let stretch = tail.part(from: start).stretch
        let fit = tracker.fit(stretch, on: line, refines: end - start >= parameters.recent)
        let before = line.position(at: end)
        line = fit.line
        evidence = fit.evidence
        // Music repeats itself, and the first moments may not have told which of its places this is.
        if end - since < 20, end - comparedAt >= 1 {
            comparedAt = end
            if let other = tracker.elsewhere(stretch, than: line),
                other.evidence > fit.evidence + parameters.moveEvidence
            {
                return move(to: other, since: since, at: end)
            }
        }
        return .heard(correction: line.position(at: end) - before)
    }

    /// Another place of the same reference that a stretch fits better, once it is certain.
    private mutating func place(
        _ stretch: AlignmentTracker.Stretch,
        at end: Double,
        _ tracker: AlignmentTracker,
        _ parameters: Parameters,
        least: Double
    ) -> AlignmentFit? {
        guard let other = tracker.elsewhere(stretch, than: line) else { return nil }
        let needed = least + tracker.chance(elsewhereThan: line)
        guard other.evidence >= needed else {
            rival = nil
            return nil
        }
        let isAgreed = rival.map { abs($0.position(at: end) - other.line.position(at: end)) < 0.1 } ?? false
        if isAgreed || other.evidence >= needed + 2 * parameters.moveEvidence { return other }
        rival = other.line
        return nil
    }

    private mutating func move(to place: AlignmentFit, since: Double, at end: Double) -> Change {
        let distance = place.line.position(at: end) - line.position(at: end)
        line = place.line
        self.since = since
        heardAt = end
        isHeard = true
        evidence = place.evidence
        rival = nil
        return .moved(by: distance)
    }
}

extension AlignmentTrack {
    /// The numbers that decide how a reference is followed. Times are in seconds, evidence in nats.
    package struct Parameters: Sendable {
        /// The stretch in which a jump shows.
        package var recent = 1.5
        /// The least of it that says anything.
        package var leastRecent = 0.75
        /// The stretch that an alignment is fitted to.
        package var fitted = 10.0
        /// Evidence on a known alignment from which on it counts as heard, in the recent stretch and in the last four
        /// seconds.
        package var heardRecently = 4.0
        package var heardLately = 6.0
        /// A recent stretch is doubted that says less than this part of what the reference has said so far.
        package var doubtShare = 0.4
        /// By how much another place of the same reference must be better, beyond what the best of its places has by
        /// chance.
        package var moveEvidence = 8.0
        /// The same for a reference that is not heard now.
        package var returnEvidence = 12.0
        /// The time between looks for a lost reference.
        package var seekInterval = 0.5

        package init() {}
    }
}
