import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import Foundation

/// A play of a station until its record is final: one play of the tracker, or several on different alignments.
struct StationPlay: Sendable, Codable {
    /// The longest reference that is a spot, in seconds. Each repetition of a spot is a play of its own.
    static let longestSpot = 70.0
    /// The time after its end within which a reference may continue at another position as the same play, in seconds.
    private static let mergeDistance = 3.0
    /// The largest number of parts that are kept apart.
    private static let partLimit = 8

    /// A play of the tracker. Times are in seconds of the stream and of the reference.
    struct Part: Sendable, Codable {
        var number: Int
        var begin: Double
        var end: Double
        var referenceBegin: Double
        var referenceEnd: Double
        var played: Double
        var isOver = false
        /// The time until which quick checks have heard it.
        var heard: Double

        init(_ play: TrackedPlay) {
            number = play.number
            (begin, end) = (play.queryRange.lowerBound.seconds, play.queryRange.upperBound.seconds)
            (referenceBegin, referenceEnd) = (
                play.referenceRange.lowerBound.seconds, play.referenceRange.upperBound.seconds
            )
            played = play.playedDuration.seconds
            heard = end
        }
    }

    let reference: ReferenceID
    let duration: Double
    var details: PlayDetails
    private(set) var parts: [Part]
    var score: Double
    var confidence: Double
    var speedSkew: Double
    var pitchSkew: Double
    /// The seconds that were classified, the number of those that were speech, and the position up to which they were
    /// counted.
    var classified = 0
    var speech = 0
    var countedUntil: Double
    /// The record's identifier and start; `nil` until it is written first.
    var id: EntityID<PlayRecord>?
    var start: Date?
    /// The position in the stream for which ``start`` was computed.
    var startedAt: Double?
    /// The position in the stream at which the record was last written, in seconds; and `true` if it has changed since.
    var writtenAt: Double?
    var needsWriting = false

    init(_ play: TrackedPlay) {
        reference = play.id
        duration = play.referenceDuration.seconds
        details = PlayDetails(play.items)
        parts = [Part(play)]
        (score, confidence) = (play.score, play.confidence)
        (speedSkew, pitchSkew) = (play.speedSkew, play.pitchSkew)
        countedUntil = play.queryRange.lowerBound.seconds
    }

    var isSpot: Bool { duration <= Self.longestSpot }
    var begin: Double { parts.map(\.begin).min() ?? 0 }
    var end: Double { parts.map(\.end).max() ?? 0 }
    var played: Double { parts.reduce(0) { $0 + $1.played } }
    /// The time for which quick checks have heard it beyond the last analysis, in seconds.
    var lead: Double { isOver ? 0 : max(0, (parts.map(\.heard).max() ?? 0) - end) }
    var isOver: Bool { parts.allSatisfy(\.isOver) }
    /// The part that begins first, and the part that ends last.
    var first: Part? { parts.min { $0.begin < $1.begin } }
    var last: Part? { parts.max { $0.end < $1.end } }
    /// `true` if the reference was heard to within 2 s of its end.
    var isPlayedOut: Bool { (last?.referenceEnd ?? 0) > duration - 2 }
    var isUnderSpeech: Bool { classified > 0 && 2 * speech > classified }

    func contains(_ number: Int) -> Bool { parts.contains { $0.number == number } }

    /// Returns `true` if another alignment with the same reference belongs to this play: a loop or a seek. A reference
    /// that was heard to its end and begins again is another play.
    func goesOn(as play: TrackedPlay) -> Bool {
        let begin = play.queryRange.lowerBound.seconds
        guard !isSpot, play.id == reference, begin >= self.begin, begin <= end + Self.mergeDistance else {
            return false
        }
        return !(isPlayedOut && play.referenceRange.lowerBound.seconds < 5)
    }

    /// Updates a part from the tracker, or adds one.
    mutating func take(_ play: TrackedPlay, isOver: Bool) {
        var part = Part(play)
        part.isOver = isOver
        if let index = parts.firstIndex(where: { $0.number == play.number }) {
            parts[index] = part
        } else {
            parts.append(part)
        }
        score = max(score, play.score)
        confidence = max(confidence, play.confidence)
        (speedSkew, pitchSkew) = (play.speedSkew, play.pitchSkew)
        needsWriting = true
        fold()
    }

    /// Updates the time until which quick checks have heard the running parts.
    mutating func hear(_ until: (Int) -> MediaTime?) {
        for index in parts.indices where !parts[index].isOver {
            guard let heard = until(parts[index].number)?.seconds, heard > parts[index].heard else { continue }
            parts[index].heard = heard
            needsWriting = true
        }
    }

    /// Removes a part.
    ///
    /// - Returns: `true` if any part is left.
    mutating func remove(_ number: Int) -> Bool {
        parts.removeAll { $0.number == number }
        needsWriting = true
        return !parts.isEmpty
    }

    /// Merges the first two parts if there are too many, so that a loop of hours does not grow.
    private mutating func fold() {
        guard parts.count > Self.partLimit else { return }
        parts.sort { $0.begin < $1.begin }
        guard parts[0].isOver, parts[1].isOver else { return }
        let second = parts.remove(at: 1)
        parts[0].end = max(parts[0].end, second.end)
        parts[0].referenceEnd = second.referenceEnd
        parts[0].played += second.played
    }
}
