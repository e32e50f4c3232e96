import EarshotCatalogs
import EarshotCore
import EarshotSignatures

// What was found is weighed on its line.
extension StreamMatcher {
    /// Looks where every track is now.
    mutating func follow() -> [SessionEvent] {
        var changes: [MatchChange] = []
        for index in tracks.indices {
            changes += tracks[index].alignment.isLost ? seek(&tracks[index]) : weigh(&tracks[index])
        }
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
        for index in tracks.indices where tracks[index].alignment.isActive {
            let evidence = tracks[index].alignment.evidence
            let place = order.firstIndex { evidence > 1.25 * tracks[$0].alignment.evidence + 10 } ?? order.count
            order.insert(index, at: place)
        }
        return order
    }

    // MARK: - A track

    /// Weighs the last moments of a track that is not lost.
    private func weigh(_ track: inout TrackedReference) -> [MatchChange] {
        guard let change = track.alignment.weigh(tail, follower, parameters.tracking) else { return [] }
        settle(&track)
        switch change {
        case .heard(let correction):
            let isCorrected = abs(correction) >= parameters.leastCorrection
            return contentChange(&track) + (isCorrected ? [.corrected(by: Self.time(correction))] : [])
        case .moved(let distance):
            // A short break in the audio is no seek.
            let isSeek = abs(distance) >= parameters.leastMove
            let distance = Self.time(distance)
            return [isSeek ? .moved(by: distance) : .corrected(by: distance)] + contentChange(&track)
        }
    }

    /// Looks for a lost track in its own reference, without asking the index.
    private func seek(_ track: inout TrackedReference) -> [MatchChange] {
        let isStale = track.position.prediction.isStale(at: captured.instant(of: tail.end))
        guard track.alignment.seek(tail, follower, parameters.tracking) else { return [] }
        settle(&track)
        return [isStale ? .appeared : .returned] + contentChange(&track)
    }

    /// Brings the prediction of a track in line with what is known of it.
    func settle(_ track: inout TrackedReference) {
        let end = tail.end
        track.position.correct(
            prediction(of: track.alignment.line, at: end, heardAt: track.alignment.heardAt, track.correction)
        )
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

    /// The changes if other items or entries apply than in the last report.
    func contentChange(_ track: inout TrackedReference) -> [MatchChange] {
        let position = Self.time(track.alignment.line.position(at: tail.end))
        return track.note(reference(of: track).items(at: position), at: position)
    }

    static func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1_000_000) }

    // MARK: - Reports

    /// Tracks that have gone unheard for too long.
    private mutating func losses() -> [SessionEvent] {
        var events: [SessionEvent] = []
        for index in tracks.indices where !tracks[index].alignment.isLost {
            guard tail.end - tracks[index].alignment.heardAt >= parameters.lossDelay else { continue }
            events += lose(index)
        }
        // Of the lost ones the last is looked for, for a while.
        let last = tracks.map(\.alignment).filter(\.isLost).map(\.heardAt).max()
        tracks.removeAll { track in
            let alignment = track.alignment
            return alignment.isLost
                && (alignment.heardAt != last || tail.end - alignment.heardAt > parameters.dormancy)
        }
        return events
    }

    mutating func lose(_ index: Int) -> [SessionEvent] {
        guard !tracks[index].alignment.isLost else { return [] }
        tracks[index].alignment.lose()
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

    /// The query that a match is reported for: the last ten seconds, or as much of them as a query may last.
    private var query: StreamTail {
        tail.part(from: tail.end - min(parameters.tracking.fitted, catalog.queryLimits.maximum.seconds))
    }

    private func reference(of track: TrackedReference, in query: StreamTail? = nil) -> ReferenceMatch {
        let query = query ?? self.query
        return follower.match(
            track.alignment.line,
            query: query.start...max(query.start, query.end),
            since: track.alignment.since,
            evidence: track.alignment.evidence
        )
    }
}
