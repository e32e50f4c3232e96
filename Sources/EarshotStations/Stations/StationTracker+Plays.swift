import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import Foundation

extension StationTracker {
    /// The time after its end within which a song may turn out to continue at another position, in seconds: the time to
    /// detect a play.
    private static let hold = 22.0

    /// Updates the plays from the changes of the tracker, and returns what to write to the log.
    ///
    /// - Parameters:
    ///   - changes: The changes of the tracker.
    ///   - isEnd: `true` at the end of the stream.
    ///   - now: The current time, if known: before the first audio the stream has no dates.
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

    /// Counts the classified seconds within a play since the last call.
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
        // Audio that a server sends again lies before the end of the audio heard, and so takes no time by the clock.
        let span = date(play.end + play.lead).timeIntervalSince(play.start ?? date(play.begin))
        return span >= shortest / 2
    }

    /// Writes a running play if it has changed and a write is due.
    ///
    /// - Parameter isDue: `true` to write it even if it was written recently.
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
            // It was longer before. A play that is too short is not kept in the log.
            return tracked[index].id == nil ? [] : [.withdrawal(record(index, .provisional))]
        }
        _ = name(index)
        var record = record(index, .final)
        record.endReason = reason(of: tracked[index])
        return [.record(record), .playEnded(record)]
    }

    /// Sets the start of a play, and its identifier if it has none.
    ///
    /// - Returns: `true` if it had none and does not continue a play of an earlier run.
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
            // Playback went back to before the start of the play.
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

    /// Ends plays of an earlier run that were not continued in time.
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
