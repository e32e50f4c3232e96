package import Foundation

extension PlayRecord {
    /// This play as the continuation of one from before a restart of the monitor; `nil` if it is another play.
    ///
    /// They are one play if channel and reference are equal and both have the same time for the beginning of the
    /// reference; a reference that is played twice in succession has two. A monitor checks the open records of a
    /// channel before it writes a play that begins soon after a restart, so that no play is lost or written twice.
    ///
    /// - Parameters:
    ///   - earlier: A provisional record, or one that ended with `monitorStopped` or `streamLost`.
    ///   - tolerance: By how many seconds the beginnings may differ.
    /// - Returns: This record with identifier and start of the earlier one. The time between the two counts as not played.
    public func continuing(_ earlier: PlayRecord, tolerance: Double = 3) -> PlayRecord? {
        guard channel.id == earlier.channel.id, let referenceID, referenceID == earlier.referenceID,
            earlier.state == .provisional || [.monitorStopped, .streamLost].contains(earlier.endReason),
            earlier.start <= start, let own = referenceOrigin, let other = earlier.referenceOrigin,
            abs(own.timeIntervalSince(other)) <= tolerance
        else { return nil }
        let reference = referenceID
        var whole = PlayRecord(channel: channel, start: earlier.start, end: end, referenceID: reference, id: earlier.id)
        (whole.title, whole.artist, whole.kind, whole.state) = (title, artist, kind, state)
        (whole.album, whole.isrc, whole.label, whole.workID) = (album, isrc, label, workID)
        (whole.referenceStart, whole.referenceEnd) = (earlier.referenceStart, referenceEnd)
        whole.referenceDuration = referenceDuration
        (whole.score, whole.confidence) = (score, confidence)
        (whole.speedSkew, whole.pitchSkew) = (speedSkew, pitchSkew)
        (whole.endReason, whole.callerRef, whole.notes) = (endReason, callerRef, notes)
        // The stream time of a monitor begins anew with it: only the end is of this one.
        (whole.queryStart, whole.queryEnd) = (queryStart, queryEnd)
        whole.playedDuration = min(earlier.playedDuration + playedDuration, whole.span)
        return whole
    }

    /// When the reference would have begun, by the place that was heard first.
    private var referenceOrigin: Date? {
        guard let referenceStart, referenceStart.isFinite else { return nil }
        let speed = 1 + (speedSkew.flatMap { $0.isFinite && abs($0) < 0.5 ? $0 : nil } ?? 0)
        return start.addingTimeInterval(-referenceStart / speed)
    }

    /// The play as it is closed from outside.
    ///
    /// - Parameters:
    ///   - instant: When it ended, not before its start; `nil` for when it was heard last.
    ///   - reason: Why.
    package func closed(at instant: Date?, reason: PlayEndReason) -> PlayRecord {
        var record = self
        record.state = .final
        record.endReason = reason
        guard let instant else { return record }
        record.end = max(start, instant)
        let change = record.end.timeIntervalSince(end)
        record.playedDuration = min(max(0, playedDuration + max(0, change)), record.span)
        if change < 0 {
            // What lies behind the instant is cut off both spans.
            record.queryEnd = queryEnd.map { max(queryStart ?? $0, $0 + change) }
            let speed = 1 + (speedSkew ?? 0)
            record.referenceEnd = referenceEnd.map { max(referenceStart ?? $0, $0 + change * speed) }
        }
        return record
    }
}
