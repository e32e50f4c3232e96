package import Foundation

extension PlayRecord {
    /// Returns this play as the continuation of one from before a restart of the monitor; `nil` if it is another play.
    ///
    /// They are one play if channel and reference are equal, and if both give the same time for the start of the
    /// reference. A reference that is played twice in succession has two such times. A monitor checks the open records
    /// of a channel before it writes a play that begins soon after a restart, so that no play is lost or written twice.
    ///
    /// - Parameters:
    ///   - earlier: A provisional record, or one that ended with `monitorStopped` or `streamLost`.
    ///   - tolerance: The largest difference between the two times, in seconds.
    /// - Returns: This record with identifier and start of the earlier one. The time between the two counts as not
    ///   played.
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
        // The stream time of a monitor restarts with it, so the position is that of this record.
        (whole.queryStart, whole.queryEnd) = (queryStart, queryEnd)
        whole.playedDuration = min(earlier.playedDuration + playedDuration, whole.span)
        return whole
    }

    /// The time at which the reference would have begun, computed from the position that was heard first.
    private var referenceOrigin: Date? {
        guard let referenceStart, referenceStart.isFinite else { return nil }
        let speed = 1 + (speedSkew.flatMap { $0.isFinite && abs($0) < 0.5 ? $0 : nil } ?? 0)
        return start.addingTimeInterval(-referenceStart / speed)
    }

    /// Returns the final record of a play that is ended by a caller.
    ///
    /// - Parameters:
    ///   - instant: The time of its end, not before its start; `nil` for the time at which it was last heard.
    ///   - reason: The reason for the end.
    package func closed(at instant: Date?, reason: PlayEndReason) -> PlayRecord {
        var record = self
        record.state = .final
        record.endReason = reason
        guard let instant else { return record }
        record.end = max(start, instant)
        let change = record.end.timeIntervalSince(end)
        record.playedDuration = min(max(0, playedDuration + max(0, change)), record.span)
        if change < 0 {
            // The part after the end is cut off both ranges.
            record.queryEnd = queryEnd.map { max(queryStart ?? $0, $0 + change) }
            let speed = 1 + (speedSkew ?? 0)
            record.referenceEnd = referenceEnd.map { max(referenceStart ?? $0, $0 + change * speed) }
        }
        return record
    }
}
