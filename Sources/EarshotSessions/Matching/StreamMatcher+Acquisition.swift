import EarshotCatalogs
import EarshotCore
import EarshotSignatures

// What is not known yet is looked for in the catalog.
extension StreamMatcher {
    /// Searches the catalog when it is time to.
    mutating func acquire() -> [SessionEvent] {
        if tracks.contains(where: \.alignment.isActive) { return refresh() }
        let end = tail.end
        // What was heard until then is not asked for again.
        if let heardAt = tracks.map(\.alignment.heardAt).max(), heardAt > acquisition.start {
            acquisition.restart(at: heardAt)
        }
        guard let query = acquisition.query(at: end, parameters, catalog.queryLimits) else { return [] }
        let part = tail.part(from: query.start)
        var events: [SessionEvent] = []
        do {
            let found = try search(part, escalates: query.escalates)
            if let first = found.first, isCertain(first, from: part.start) {
                events += begin(found, from: part.start)
            }
        } catch {
            events.append(.failed(error, part.signature))
        }
        if tracks.allSatisfy({ !$0.alignment.isHeard }),
            acquisition.isToReport(at: end, parameters, catalog.queryLimits)
        {
            events.append(.notMatched(part.signature))
        }
        return events
    }

    /// Searches again while a track is heard, soon after it was found and then now and then: for what else is heard, and for the
    /// place in the track, since music repeats itself and its first second may not have told which of its places this is.
    private mutating func refresh() -> [SessionEvent] {
        guard let since = tracks.map(\.alignment).filter(\.isActive).map(\.since).min() else { return [] }
        let wait = min(max(parameters.earliestRefresh, refreshedAt - since), parameters.refreshInterval)
        guard tail.end - refreshedAt >= wait - 1e-6 else { return [] }
        refreshedAt = tail.end
        let part = tail.part(from: max(since, tail.end - parameters.refreshInterval))
        guard let found = try? search(part, escalates: false) else { return [] }
        // Later a track has been compared with its other places for long.
        var events = tail.end - since <= parameters.refreshInterval ? relocate(found, from: part.start) : []
        let known = Set(tracks.map(\.alignment).filter { !$0.isLost }.map(\.line.id))
        let others = found.filter { !known.contains($0.id) && $0.score >= parameters.sureScore }
        if !others.isEmpty { events += begin(others, from: part.start) }
        return events
    }

    /// Moves a track whose reference was found at another place than it is followed at.
    private mutating func relocate(_ found: [ReferenceMatch], from start: Double) -> [SessionEvent] {
        guard let first = found.first, first.score >= parameters.sureScore,
            let index = tracks.firstIndex(where: { $0.alignment.isActive && $0.alignment.line.id == first.id }),
            let line = follower.line(of: first, from: start)
        else { return [] }
        let distance = line.position(at: tail.end) - tracks[index].alignment.line.position(at: tail.end)
        guard abs(distance) >= parameters.leastMove else { return [] }
        var track = tracks[index]
        let changes = resume(
            &track,
            on: line,
            since: start + first.queryRange.lowerBound.seconds,
            evidence: first.score
        )
        tracks[index] = track
        return report([index], changes)
    }

    /// Asks the catalog about a stretch. Silence, and audio too short for it, give nothing.
    private func search(_ part: StreamTail, escalates: Bool) throws(EarshotError) -> [ReferenceMatch] {
        let limits = catalog.queryLimits
        guard !part.signature.isEmpty, part.signature.duration >= limits.minimum,
            part.signature.duration <= limits.maximum
        else { return [] }
        var matching = MatchingParameters()
        matching.escalates = escalates
        return try catalog.search(part.signature, parameters: matching).accepted
    }

    /// Returns `true` if a candidate is to be answered: by its score alone, or because more audio has not made it
    /// worse.
    private mutating func isCertain(_ match: ReferenceMatch, from start: Double) -> Bool {
        if match.score >= parameters.sureScore { return true }
        let speed = 1 + match.speedSkew
        let found = Acquisition.Pending(
            id: match.id,
            position: match.offset.seconds - speed * start,
            speed: speed,
            score: match.score,
            at: tail.end
        )
        let isSame =
            acquisition.pending.map { before in
                before.id == found.id && found.score >= before.score
                    && abs(before.position + before.speed * tail.end - found.position - speed * tail.end) < 0.3
            } ?? false
        if isSame { return true }
        acquisition.pending = found
        return false
    }

    /// Begins to follow what was found.
    private mutating func begin(_ found: [ReferenceMatch], from start: Double) -> [SessionEvent] {
        let end = tail.end
        let best = found.first?.score ?? 0
        var changes: [MatchChange] = []
        var heard: [Int] = []
        for match in found.prefix(parameters.trackLimit) where match.score >= 0.4 * best {
            guard let line = follower.line(of: match, from: start) else { continue }
            let since = start + match.queryRange.lowerBound.seconds
            if let known = tracks.firstIndex(where: { $0.alignment.line.id == match.id }) {
                var track = tracks[known]
                changes += resume(&track, on: line, since: since, evidence: match.score)
                tracks[known] = track
                heard.append(known)
            } else {
                let position = LivePosition(prediction(of: line, at: end, heardAt: end), clock: clock)
                let alignment = AlignmentTrack(line, since: since, heardAt: end, evidence: match.score)
                var track = TrackedReference(alignment, position: position)
                _ = contentChange(&track)
                changes.append(.appeared)
                tracks.append(track)
                heard.append(tracks.count - 1)
            }
        }
        guard !heard.isEmpty else { return [] }
        acquisition.restart(at: end)
        refreshedAt = end
        // What is heard no longer has given way to it.
        var events: [SessionEvent] = []
        for index in tracks.indices where !heard.contains(index) && !tracks[index].alignment.isHeard {
            events += lose(index)
        }
        return events + report(heardTracks, changes.isEmpty ? [.confirmed] : changes)
    }

    /// Goes on with a track that was not heard for a while.
    private func resume(
        _ track: inout TrackedReference,
        on line: TrackedAlignment,
        since: Double,
        evidence: Double
    ) -> [MatchChange] {
        let jump = line.position(at: tail.end) - track.alignment.line.position(at: tail.end)
        var changes: [MatchChange] = abs(jump) >= parameters.leastMove ? [.moved(by: Self.time(jump))] : []
        if track.position.prediction.isStale(at: captured.instant(of: tail.end)) {
            changes = [.appeared]
        } else if track.alignment.isLost {
            changes.append(.returned)
        }
        track.alignment.resume(on: line, since: since, heardAt: tail.end, evidence: evidence)
        settle(&track)
        return changes + contentChange(&track)
    }
}
