import EarshotBroadcast
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

/// Holds back the chunks of a channel until it is known which of them plays explain. A pure value.
struct UnexplainedAudio: Sendable {
    /// A chunk, with the intervals, from its start, that plays explain.
    struct Explained: Sendable {
        var piece: LiveChunk
        var ranges: [Range<MediaTime>]
    }

    /// The time for which a chunk waits, in seconds, until a play is detected and its start is determined.
    private static let patience = 60.0
    /// The time for which the interval of a play is kept for later chunks, in seconds.
    private static let memory = 600.0

    private var feeder = LiveFeeder()
    private var waiting: [LiveChunk] = []
    private var plays: [EntityID<PlayRecord>: Range<Date>] = [:]

    /// Appends audio.
    ///
    /// - Returns: The chunks that have waited long enough.
    /// - Throws: `audioFormatInvalid` if the format is not supported; `requestInvalid` for a date before 1970 or after
    ///   the year 9999.
    mutating func append(_ buffer: AudioBuffer, at date: Date) throws(EarshotError) -> [Explained] {
        waiting += try feeder.append(buffer, at: date)
        return release(before: date.addingTimeInterval(-Self.patience))
    }

    /// Records the interval of a play, or removes it if the play was withdrawn.
    mutating func note(_ record: PlayRecord, isWithdrawn: Bool) {
        plays[record.id] = isWithdrawn ? nil : record.start..<max(record.start, record.end)
    }

    /// Ends the channel and returns all waiting chunks.
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
