import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import Foundation

extension StationTracker {
    /// How long after its end a song may turn out to go on elsewhere, in seconds: what a play needs to be found.
    private static let hold = 22.0

    /// Brings what the follower says into the log.
    ///
    /// - Parameters:
    ///   - changes: What the follower says.
    ///   - isEnd: `true` if nothing comes any more.
    ///   - now: The instant, where it is known: before the first audio the stream has no dates.
    mutating func settle(_ changes: [PlayTracker.Change], isEnd: Bool = false, now instant: Date? = nil) -> [Output] {
        var outputs: [Output] = []
        for change in changes {
            switch change {
            case .began(let play), .updated(let play): take(play, isOver: false)
            case .ended(let play): take(play, isOver: true)
            case .withdrawn(let play): outputs += withdraw(play)
            }
        }
        for index in tracked.indices {
            tracked[index].hear { follower.heard($0) }
            outputs += write(index)
        }
        let now = time.seconds
        var index = 0
        while index < tracked.count {
            let play = tracked[index]
            let isDue = play.isOver && (isEnd || play.isSpot || now > play.end + Self.hold)
            if isDue {
                outputs += close(index)
                tracked.remove(at: index)
            } else {
                index += 1
            }
        }
        return outputs + dropOrphans(instant)
    }

    private mutating func take(_ play: TrackedPlay, isOver: Bool) {
        let index =
            tracked.firstIndex { $0.contains(play.number) } ?? tracked.firstIndex { $0.goesOn(as: play) }
        if let index {
            tracked[index].take(play, isOver: isOver)
            count(index)
        } else {
            var new = StationPlay(play)
            new.take(play, isOver: isOver)
            tracked.append(new)
            count(tracked.count - 1)
        }
    }

    /// Adds up what was classified within a play since the last time.
    private mutating func count(_ index: Int) {
        let play = tracked[index]
        let range = play.countedUntil..<max(play.countedUntil, play.end)
        for second in classified where range.contains(second.time) {
            tracked[index].classified += 1
            if second.isSpeech { tracked[index].speech += 1 }
        }
        tracked[index].countedUntil = range.upperBound
    }

    private mutating func withdraw(_ play: TrackedPlay) -> [Output] {
        guard let index = tracked.firstIndex(where: { $0.contains(play.number) }) else { return [] }
        guard !tracked[index].remove(play.number) else { return [] }
        defer { tracked.remove(at: index) }
        return tracked[index].id == nil ? [] : [.withdrawal(record(index, .provisional))]
    }

    // MARK: - Records

    private func isLogged(_ play: StationPlay) -> Bool {
        let shortest = play.isSpot ? options.shortestSpot : options.shortestSong
        guard play.played + play.lead >= shortest else { return false }
        // What a server sends again lies before the end of what was heard, and so takes no time by the clock.
        let span = date(play.end + play.lead).timeIntervalSince(play.start ?? date(play.begin))
        return span >= shortest / 2
    }

    /// Writes a play that goes on, when there is something new and it is time.
    ///
    /// - Parameter isDue: `true` if it is time, however long ago it was written last.
    mutating func write(_ index: Int, isDue: Bool = false) -> [Output] {
        guard tracked[index].needsWriting, !tracked[index].isOver || tracked[index].id != nil, isLogged(tracked[index])
        else {
            return []
        }
        let isMoved = tracked[index].startedAt.map { abs($0 - tracked[index].begin) > 0.001 } ?? true
        let now = time.seconds
        if !isDue, !isMoved, let last = tracked[index].writtenAt, now - last < options.rewriteInterval { return [] }
        let isFirst = name(index)
        let record = record(index, .provisional)
        tracked[index].writtenAt = now
        tracked[index].needsWriting = false
        return isFirst ? [.record(record), .playStarted(record)] : [.record(record)]
    }

    private mutating func close(_ index: Int) -> [Output] {
        guard isLogged(tracked[index]) else {
            // It was longer once: what is too short is not in the log.
            return tracked[index].id == nil ? [] : [.withdrawal(record(index, .provisional))]
        }
        _ = name(index)
        var record = record(index, .final)
        record.endReason = reason(of: tracked[index])
        return [.record(record), .playEnded(record)]
    }

    /// Gives a play its start, and its name when it has none.
    ///
    /// - Returns: `true` if it had none, and is no play of an earlier run either.
    private mutating func name(_ index: Int) -> Bool {
        let begin = tracked[index].begin
        if tracked[index].startedAt != begin {
            tracked[index].startedAt = begin
            tracked[index].start = date(begin)
        }
        guard tracked[index].id == nil, let start = tracked[index].start else { return false }
        let reference = tracked[index].reference
        let id = PlayRecord.identifier(channel: channel.id, start: start, reference: reference)
        tracked[index].id = id
        let record = record(index, .provisional)
        if let place = orphans.firstIndex(where: { $0.id == id || record.continuing($0) != nil }) {
            let orphan = orphans.remove(at: place)
            tracked[index].id = orphan.id
            tracked[index].start = min(start, orphan.start)
            return false
        }
        return true
    }

    private func record(_ index: Int, _ state: PlayState) -> PlayRecord {
        let play = tracked[index]
        let start = play.start ?? date(play.begin)
        let lead = state == .provisional ? play.lead : 0
        let end = max(start, date(play.end + lead))
        var record = PlayRecord(
            channel: channel,
            start: start,
            end: end,
            referenceID: play.reference,
            title: play.details.title,
            artist: play.details.artist,
            kind: play.details.kind(
                duration: play.duration,
                isForSpots: options.isForSpots,
                isUnderSpeech: play.isUnderSpeech
            ),
            state: state,
            id: play.id
        )
        record.playedDuration = min(play.played + lead, record.span)
        (record.album, record.isrc, record.label) = (play.details.album, play.details.isrc, play.details.label)
        (record.callerRef, record.workID) = (play.details.callerRef ?? options.callerRef, play.details.workID)
        (record.referenceStart, record.referenceEnd) = (play.first?.referenceBegin, play.last?.referenceEnd)
        if let low = record.referenceStart, let high = record.referenceEnd, low > high {
            // It went back to before where it began.
            let parts = play.parts
            record.referenceStart = parts.map(\.referenceBegin).min()
            record.referenceEnd = parts.map(\.referenceEnd).max()
        }
        record.referenceDuration = play.duration
        (record.queryStart, record.queryEnd) = (play.begin, play.end + lead)
        (record.score, record.confidence) = (play.score, play.confidence)
        (record.speedSkew, record.pitchSkew) = (play.speedSkew, play.pitchSkew)
        return record
    }

    // MARK: - Earlier runs

    /// Ends plays of an earlier run that were not taken up in time.
    private mutating func dropOrphans(_ instant: Date?) -> [Output] {
        guard !orphans.isEmpty, time != .zero else { return [] }
        var now = date(time.seconds)
        if case .arrival = options.dates, clock.knots.isEmpty {
            guard let instant else { return [] }
            now = instant
        }
        let patience = options.following.patience.seconds
        var outputs: [Output] = []
        orphans.removeAll { orphan in
            guard now.timeIntervalSince(orphan.end) > patience + Self.hold else { return false }
            let record = orphan.closed(at: nil, reason: .monitorStopped)
            outputs += [.record(record), .playEnded(record)]
            return true
        }
        return outputs
    }
}
