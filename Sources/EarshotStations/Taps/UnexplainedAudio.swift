import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

/// Holds the pieces of a channel back until it is known which of them plays explain. A pure value.
struct UnexplainedAudio: Sendable {
    /// A piece, and the parts of it, from its begin on, that plays explain.
    struct Explained: Sendable {
        var piece: LiveChunk
        var ranges: [Range<MediaTime>]
    }

    /// How long a piece waits, in seconds: until a play is found, and its begin is found elsewhere.
    private static let patience = 60.0
    /// How long the extent of a play is known for pieces that may still come, in seconds.
    private static let memory = 600.0

    private var feeder = LiveFeeder()
    private var waiting: [LiveChunk] = []
    private var plays: [EntityID<PlayRecord>: Range<Date>] = [:]

    /// Takes audio.
    ///
    /// - Returns: The pieces that have waited long enough.
    /// - Throws: `audioFormatInvalid`, and `requestInvalid` for a date that may not be.
    mutating func append(_ buffer: AudioBuffer, at date: Date) throws(EarshotError) -> [Explained] {
        waiting += try feeder.append(buffer, at: date)
        return release(before: date.addingTimeInterval(-Self.patience))
    }

    /// Takes note of a play.
    mutating func note(_ record: PlayRecord, isWithdrawn: Bool) {
        plays[record.id] = isWithdrawn ? nil : record.start..<max(record.start, record.end)
    }

    /// All pieces that still wait, as after the end of the channel.
    mutating func finish() throws(EarshotError) -> [Explained] {
        waiting += try feeder.finish()
        return release(before: .distantFuture)
    }

    private mutating func release(before date: Date) -> [Explained] {
        let due = waiting.prefix { $0.start.addingTimeInterval($0.signature.duration.seconds) <= date }
        guard let last = due.last else { return [] }
        waiting.removeFirst(due.count)
        defer { plays = plays.filter { $0.value.upperBound > last.start.addingTimeInterval(-Self.memory) } }
        return due.map { piece in
            let end = piece.start.addingTimeInterval(piece.signature.duration.seconds)
            let ranges = plays.values.filter { $0.lowerBound < end && $0.upperBound > piece.start }.map { play in
                let begin = max(0, play.lowerBound.timeIntervalSince(piece.start))
                let until = min(piece.signature.duration.seconds, play.upperBound.timeIntervalSince(piece.start))
                func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1_000) }
                return time(begin)..<time(max(begin, until))
            }
            return Explained(piece: piece, ranges: ranges.sorted { $0.lowerBound < $1.lowerBound })
        }
    }
}
