import EarshotCatalogs
import EarshotCore
import EarshotSignatures

// What was found is weighed on its line.
extension StreamMatcher {
    /// Looks where every track is now.
    mutating func follow() -> [SessionEvent] {
        var changes: [MatchChange] = []
        for index in tracks.indices { changes += tracks[index].isLost ? seek(&tracks[index]) : weigh(&tracks[index]) }
        var events = losses()
        let heard = heardTracks
        guard !heard.isEmpty else { return events }
        if !changes.isEmpty {
            events += report(heard, changes)
        } else if tracks[heard[0]].reportedAt + parameters.confirmInterval <= tail.end + 1e-6 {
            events += report(heard, [.confirmed])
        }
        return events
    }

    /// The tracks that are heard now, the surest first. Of about equal ones the order stays.
    var heardTracks: [Int] {
        var order: [Int] = []
        for index in tracks.indices where tracks[index].isHeard && !tracks[index].isLost {
            let evidence = tracks[index].evidence
            let place = order.firstIndex { evidence > 1.25 * tracks[$0].evidence + 10 } ?? order.count
            order.insert(index, at: place)
        }
        return order
    }

    // MARK: - A track

    /// Weighs the last moments of a track that is not lost.
    private func weigh(_ track: inout Track) -> [MatchChange] {
        let end = tail.end
        let start = max(end - parameters.recent, track.since)
        guard end - start >= parameters.leastRecent else { return [] }
        let recent = tail.part(from: start).stretch
        guard !recent.isSparse else {
            track.isHeard = false
            return []
        }
        let now = follower.fit(recent, on: track.line, refines: false)
        let expected = track.rate * Double(now.inside)
        if now.evidence < max(parameters.heardRecently, parameters.doubtShare * expected) {
            let least = max(0, now.evidence) + parameters.moveEvidence
            if let place = place(recent, of: &track, least: least) {
                return move(&track, to: place, since: start + place.span.lowerBound)
            }
        } else {
            track.rival = nil
        }
        guard let heardAt = heardAt(track, now, from: start) else {
            track.isHeard = false
            return []
        }
        track.isHeard = true
        track.heardAt = max(track.heardAt, heardAt)
        return confirm(&track, now)
    }

    /// Until when a track is heard, judged by its last moments; nothing when it is not.
    private func heardAt(_ track: Track, _ now: LineFit, from recent: Double) -> Double? {
        if now.evidence >= parameters.heardRecently { return recent + now.span.upperBound }
        // Under noise a moment may say little where more audio does.
        let start = max(tail.end - 4, track.since)
        guard tail.end - start >= 3, now.evidence > -parameters.heardRecently else { return nil }
        let lately = follower.fit(tail.part(from: start).stretch, on: track.line, refines: false)
        return lately.evidence >= parameters.heardLately ? start + lately.span.upperBound : nil
    }

    /// Fits the line of a track that is heard to its last seconds.
    private func confirm(_ track: inout Track, _ now: LineFit) -> [MatchChange] {
        let end = tail.end
        let share = now.evidence / Double(max(1, now.inside))
        track.rate = track.rate == 0 ? share : 0.8 * track.rate + 0.2 * share
        let start = max(end - parameters.fitted, track.since)
        let stretch = tail.part(from: start).stretch
        let fit = follower.fit(stretch, on: track.line, refines: end - start >= parameters.recent)
        let before = track.line.position(at: end)
        track.line = fit.line
        track.evidence = fit.evidence
        // Music repeats itself, and the first moments may not have told which of its places this is.
        if end - track.since < 20, end - track.comparedAt >= 1 {
            track.comparedAt = end
            if let other = follower.elsewhere(stretch, than: track.line),
                other.evidence > fit.evidence + parameters.moveEvidence
            {
                return move(&track, to: other, since: track.since)
            }
        }
        settle(&track)
        let correction = track.line.position(at: end) - before
        let isCorrected = abs(correction) >= parameters.leastCorrection
        return contentChange(&track) + (isCorrected ? [.corrected(by: Self.time(correction))] : [])
    }

    /// Another place of the same reference that a stretch fits better, once it is certain.
    private func place(_ stretch: AlignmentTracker.Stretch, of track: inout Track, least: Double) -> LineFit? {
        guard let other = follower.elsewhere(stretch, than: track.line) else { return nil }
        let needed = least + follower.chance(elsewhereThan: track.line)
        guard other.evidence >= needed else {
            track.rival = nil
            return nil
        }
        let isAgreed =
            track.rival.map { abs($0.position(at: tail.end) - other.line.position(at: tail.end)) < 0.1 } ?? false
        if isAgreed || other.evidence >= needed + 2 * parameters.moveEvidence { return other }
        track.rival = other.line
        return nil
    }

    private func move(_ track: inout Track, to place: LineFit, since: Double) -> [MatchChange] {
        let distance = place.line.position(at: tail.end) - track.line.position(at: tail.end)
        track.line = place.line
        track.since = since
        track.heardAt = tail.end
        track.isHeard = true
        track.evidence = place.evidence
        track.rival = nil
        settle(&track)
        // A short break in the audio is no seek.
        let isSeek = abs(distance) >= parameters.leastMove
        return [isSeek ? .moved(by: Self.time(distance)) : .corrected(by: Self.time(distance))] + contentChange(&track)
    }

    /// Looks for a lost track in its own reference, without asking the index.
    private func seek(_ track: inout Track) -> [MatchChange] {
        let end = tail.end
        guard end - track.soughtAt >= parameters.searchInterval - 1e-6 else { return [] }
        track.soughtAt = end
        // What was heard before it was lost says nothing about now.
        let start = max(end - 2, track.heardAt)
        let stretch = tail.part(from: start).stretch
        guard end - start >= 1, !stretch.isSparse else { return [] }
        let isStale = track.position.prediction.isStale(at: captured.instant(of: end))
        let now = follower.fit(stretch, on: track.line, refines: true)
        if now.evidence >= parameters.returnEvidence {
            track.line = now.line
        } else if let other = place(stretch, of: &track, least: parameters.returnEvidence) {
            track.line = other.line
            track.evidence = other.evidence
        } else {
            return []
        }
        track.isHeard = true
        track.isLost = false
        track.since = start
        track.heardAt = end
        settle(&track)
        return [isStale ? .appeared : .returned] + contentChange(&track)
    }

    /// Brings the prediction of a track in line with what is known of it.
    func settle(_ track: inout Track) {
        let end = tail.end
        track.position.correct(prediction(of: track.line, at: end, heardAt: track.heardAt, track.correction))
    }

    func prediction(
        of line: TrackedAlignment,
        at end: Double,
        heardAt: Double,
        _ correction: Double = 0
    ) -> PositionPrediction {
        PositionPrediction(
            position: Self.time(line.position(at: end) + correction),
            at: captured.instant(of: end),
            speedSkew: line.speedSkew,
            referenceDuration: line.referenceDuration,
            confirmedAt: captured.instant(of: heardAt)
        )
    }

    /// Whether other items or entries apply than when it was last reported.
    func contentChange(_ track: inout Track) -> [MatchChange] {
        let position = Self.time(track.line.position(at: tail.end))
        return track.note(reference(of: track).items(at: position), at: position)
    }

    static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1_000_000) }

    // MARK: - Reports

    /// Tracks that have gone unheard for too long.
    private mutating func losses() -> [SessionEvent] {
        var events: [SessionEvent] = []
        for index in tracks.indices where !tracks[index].isLost {
            guard tail.end - tracks[index].heardAt >= parameters.lossDelay else { continue }
            events += lose(index)
        }
        // Of the lost ones the last is looked for, for a while.
        let last = tracks.filter(\.isLost).map(\.heardAt).max()
        tracks.removeAll {
            $0.isLost && ($0.heardAt != last || tail.end - $0.heardAt > parameters.dormancy)
        }
        return events
    }

    mutating func lose(_ index: Int) -> [SessionEvent] {
        guard !tracks[index].isLost else { return [] }
        tracks[index].isLost = true
        tracks[index].isHeard = false
        return [.lost(match([index]))]
    }

    mutating func report(_ heard: [Int], _ changes: [MatchChange]) -> [SessionEvent] {
        for index in heard { tracks[index].reportedAt = tail.end }
        return [.matched(match(heard), changes.sorted { $0.weight > $1.weight })]
    }

    /// Tracks as a match of the last seconds.
    private func match(_ indices: [Int]) -> Match {
        let query = query
        let references = indices.map { reference(of: tracks[$0], in: query) }
        return Match(
            querySignature: query.signature,
            references: references,
            catalog: catalog.identity,
            positions: indices.map { tracks[$0].position }
        )
    }

    /// What a match is reported for: the last ten seconds, or as much of them as a query may last.
    private var query: Tail {
        tail.part(from: tail.end - min(parameters.fitted, catalog.queryLimits.maximum.seconds))
    }

    private func reference(of track: Track, in query: Tail? = nil) -> ReferenceMatch {
        let query = query ?? self.query
        return follower.match(
            track.line,
            query: query.start...max(query.start, query.end),
            since: track.since,
            evidence: track.evidence
        )
    }
}
