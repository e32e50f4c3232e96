/// A reference that a stream plays, tracked over successive checks: heard, moved within the reference, lost, and found
/// again.
///
/// It is a pure state machine over ``AlignmentTracker``. Times are those of the stream, in seconds.
package struct AlignmentTrack: Sendable {
    /// The outcome of a check in which the reference was heard.
    package enum Change: Hashable, Sendable {
        /// The alignment continues. It was corrected by this many seconds of the reference.
        case heard(correction: Double)
        /// Playback jumped within the reference, by this many seconds of it.
        case moved(by: Double)
    }

    /// The alignment.
    package private(set) var line: TrackedAlignment
    /// The time from which the alignment is valid.
    package private(set) var since: Double
    /// The end of the last check in which it was heard.
    package private(set) var heardAt: Double
    /// `true` if the last check heard it.
    package private(set) var isHeard = true
    /// `true` if it was lost and not found again.
    package private(set) var isLost = false
    /// The evidence of the interval that the alignment was fitted to, in nats.
    package private(set) var evidence: Double
    /// The average evidence of one landmark, in nats.
    private var rate = 0.0
    /// The time at which other positions were last compared over the whole interval.
    private var comparedAt = -Double.infinity
    /// The time of the last search in the reference while lost.
    private var soughtAt = -Double.infinity
    /// The position elsewhere in the reference that the last check preferred; `nil` if none.
    private var rival: TrackedAlignment?

    /// Creates a track for a reference that was just found.
    package init(_ line: TrackedAlignment, since: Double, heardAt: Double, evidence: Double) {
        (self.line, self.since, self.heardAt, self.evidence) = (line, since, heardAt, evidence)
    }

    /// `true` if it is heard and not lost.
    package var isActive: Bool { isHeard && !isLost }

    // MARK: - Changes from outside

    /// Switches to another catalog.
    ///
    /// - Returns: `true` if the catalog has the reference.
    package mutating func renew(_ tracker: AlignmentTracker) -> Bool {
        guard let line = tracker.renewed(line) else { return false }
        self.line = line
        return true
    }

    /// Continues on the alignment with which a search has found the reference again.
    package mutating func resume(on line: TrackedAlignment, since: Double, heardAt: Double, evidence: Double) {
        (self.line, self.since, self.heardAt, self.evidence) = (line, since, heardAt, evidence)
        (isHeard, isLost, rival) = (true, false, nil)
    }

    /// Marks it as lost until it is found again.
    package mutating func lose() { (isHeard, isLost) = (false, true) }

    /// Marks it as not heard after a break in the audio.
    package mutating func doubt(untilHeardAfter time: Double) {
        isHeard = false
        since = time
        rival = nil
        // After a step back in time these moments would lie in the future, and intervals that count from them would not
        // end.
        heardAt = min(heardAt, time)
        comparedAt = min(comparedAt, time)
        soughtAt = min(soughtAt, time)
    }

    // MARK: - Looks

    /// Compares the last seconds of a stream with the alignment. Only for a reference that is not lost.
    ///
    /// - Returns: `nil` if it was not heard, or if the alignment is too new.
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

    /// Searches for a lost reference in its own landmarks, without the index.
    ///
    /// - Returns: `true` if it was found.
    package mutating func seek(_ tail: StreamTail, _ tracker: AlignmentTracker, _ parameters: Parameters) -> Bool {
        let end = tail.end
        guard end - soughtAt >= parameters.seekInterval - 1e-6 else { return false }
        soughtAt = end
        // Audio from before the loss tells nothing about now.
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

    /// Returns the time until which it is heard, judged by its last seconds; `nil` if it is not heard.
    private func heardUntil(
        _ now: AlignmentFit,
        from recent: Double,
        _ tail: StreamTail,
        _ tracker: AlignmentTracker,
        _ parameters: Parameters
    ) -> Double? {
        if now.evidence >= parameters.heardRecently { return recent + now.span.upperBound }
        // Under noise a short interval may tell little where a longer one does.
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
        // Music repeats itself, and the first seconds may not have told which repeat this is.
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

    /// Returns another position in the same reference that an interval fits better. The position must be certain, or
    /// preferred by two checks in a row.
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
    /// The parameters of tracking. Times are in seconds, evidence in nats.
    package struct Parameters: Sendable {
        /// The interval in which a jump is detected.
        package var recent = 1.5
        /// The shortest interval that is compared.
        package var leastRecent = 0.75
        /// The interval that an alignment is fitted to.
        package var fitted = 10.0
        /// The evidence on a known alignment from which it counts as heard: in the recent interval, and in the last
        /// four seconds.
        package var heardRecently = 4.0
        package var heardLately = 6.0
        /// The share of the expected evidence below which the recent interval is doubted.
        package var doubtShare = 0.4
        /// The evidence by which another position in the same reference must exceed the current one, in nats. Once the
        /// recent interval is doubted, the evidence of the best position by chance is added.
        package var moveEvidence = 8.0
        /// The evidence, in addition to chance, that a lost reference needs.
        package var returnEvidence = 12.0
        /// The interval between searches for a lost reference.
        package var seekInterval = 0.5

        package init() {}
    }
}
