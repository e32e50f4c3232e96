import EarshotCore
import EarshotMusic
import Foundation

extension PlayRecord {
    /// The longest play that is stored, in seconds: 31 days.
    public static let maximumSpan = 2_678_400.0
    /// The largest size of an identifier, in bytes of UTF-8.
    public static let maximumIdentifierSize = 512
    /// The largest size of a name or another text except the notes, in bytes of UTF-8.
    public static let maximumTextSize = 4_096
    /// The largest size of the notes, in bytes of UTF-8.
    public static let maximumNotesSize = 65_536

    /// Checks the record, and returns it with corrections, or the reason for refusing it.
    ///
    /// A record is refused if the identifier of the play, its channel or its kind is empty, if an identifier has more
    /// than 512 bytes, if the start is outside of the years 1 to 9999, or if it lasts more than 31 days. Everything
    /// else is corrected. Checking a corrected record again does not change it.
    public func checked() -> PlayCheck {
        if let refusal { return PlayCheck(record: nil, refusal: refusal, notices: []) }
        var mending = Mending(record: self)
        mending.mendTimes()
        mending.mendTexts()
        mending.mendNumbers()
        return PlayCheck(record: mending.record, refusal: nil, notices: mending.notices)
    }

    private var refusal: String? {
        let sizes = [id.rawValue.utf8.count, channel.id.rawValue.utf8.count, kind.rawValue.utf8.count]
        guard sizes.allSatisfy({ (1...Self.maximumIdentifierSize).contains($0) }) else {
            return "The identifiers of a play, its channel and its kind have 1 to 512 bytes."
        }
        guard (referenceID?.rawValue.utf8.count ?? 0) <= Self.maximumIdentifierSize else {
            return "The name of a reference has at most 512 bytes."
        }
        guard PlaylogTime.milliseconds(start) != nil else { return "The start of the play is no date." }
        guard !(span > Self.maximumSpan) || PlaylogTime.milliseconds(end) == nil else {
            return "The play is of more than 31 days: check its start and end."
        }
        return nil
    }
}

/// A record during its correction.
private struct Mending {
    var record: PlayRecord
    var notices: [PlayNotice] = []

    mutating func note(_ member: String, _ message: String) {
        notices.append(PlayNotice(member: member, message: message))
    }

    // MARK: - Times

    mutating func mendTimes() {
        record.start = PlaylogTime.date(PlaylogTime.bounded(record.start))
        if let end = PlaylogTime.milliseconds(record.end) {
            record.end = PlaylogTime.date(end)
        } else {
            note("end", "It was no date: the start was taken.")
            record.end = record.start
        }
        if record.end < record.start {
            note("end", "It lay before the start: the start was taken.")
            record.end = record.start
        }
        if !(record.playedDuration.isFinite && record.playedDuration >= 0) {
            note("playedDuration", "It was no time: that from start to end was taken.")
            record.playedDuration = record.span
        } else if record.playedDuration > record.span {
            // Times are rounded to the millisecond, so a difference of up to 2 ms is no error.
            if record.playedDuration > record.span + 0.002 {
                note("playedDuration", "It was longer than from start to end: that was taken.")
            }
            record.playedDuration = record.span
        }
        if record.state == .provisional, record.endReason != nil {
            note("endReason", "A play that goes on has none: it was left out.")
            record.endReason = nil
        }
    }

    // MARK: - Texts

    mutating func mendTexts() {
        if record.referenceID?.rawValue.isEmpty == true { record.referenceID = nil }
        let texts: [(WritableKeyPath<PlayRecord, String?>, String)] = [
            (\.workID, "workID"), (\.title, "title"), (\.artist, "artist"), (\.album, "album"), (\.isrc, "isrc"),
            (\.label, "label"), (\.callerRef, "callerRef"), (\.notes, "notes"),
        ]
        for (path, member) in texts {
            guard let text = record[keyPath: path] else { continue }
            let limit = member == "notes" ? PlayRecord.maximumNotesSize : PlayRecord.maximumTextSize
            record[keyPath: path] = text.isEmpty ? nil : cut(text, to: limit, member)
        }
        record.channel.name = cut(record.channel.name, to: PlayRecord.maximumTextSize, "channel")
        if record.channel.name.isEmpty { record.channel.name = record.channel.id.rawValue }
        if let isrc = record.isrc {
            if let known = MusicIdentifier(.isrc, isrc) {
                record.isrc = known.value
            } else {
                note("isrc", "It does not have the form of one: it was kept as it is.")
            }
        }
    }

    private mutating func cut(_ text: String, to limit: Int, _ member: String) -> String {
        guard text.utf8.count > limit else { return text }
        note(member, "It had more than \(limit) bytes: the rest was left out.")
        var kept = ""
        var size = 0
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            guard size <= limit else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept
    }

    // MARK: - Numbers

    mutating func mendNumbers() {
        let numbers: [(WritableKeyPath<PlayRecord, Double?>, String)] = [
            (\.referenceStart, "referenceStart"), (\.referenceEnd, "referenceEnd"),
            (\.referenceDuration, "referenceDuration"), (\.queryStart, "queryStart"), (\.queryEnd, "queryEnd"),
            (\.score, "score"), (\.confidence, "confidence"), (\.speedSkew, "speedSkew"), (\.pitchSkew, "pitchSkew"),
        ]
        for (path, member) in numbers {
            guard let number = record[keyPath: path], !number.isFinite else { continue }
            note(member, "It was no number: it was left out.")
            record[keyPath: path] = nil
        }
        if let confidence = record.confidence, !(0...1).contains(confidence) {
            note("confidence", "It was not from 0 to 1: the nearer of the two was taken.")
            record.confidence = min(1, max(0, confidence))
        }
        if let duration = record.referenceDuration, duration < 0 {
            note("referenceDuration", "It was below zero: it was left out.")
            record.referenceDuration = nil
        }
        if let start = record.referenceStart, let end = record.referenceEnd, end < start {
            note("referenceEnd", "It lay before its start: both were left out.")
            (record.referenceStart, record.referenceEnd) = (nil, nil)
        }
        if let start = record.queryStart, let end = record.queryEnd, end < start {
            note("queryEnd", "It lay before its start: both were left out.")
            (record.queryStart, record.queryEnd) = (nil, nil)
        }
    }
}
