import Foundation

/// Decides when the interval in which a run hears a station is written to the log, by the log's dates.
struct DetectedIntervalTracker: Sendable {
    /// How often it is written until when the station was heard, in seconds.
    private static let interval = 10.0
    /// How far dates may go apart from the stream's own time, in seconds, before that is a clock that was set.
    private static let tolerance = 300.0

    private var start: Date?
    /// What was told last, and where in the stream that is, in seconds.
    private var told: (until: Date, stream: Double)?

    /// Says that audio was heard.
    ///
    /// - Parameter date: When it began.
    mutating func begin(_ date: Date) { start = start ?? date }

    /// The time up to which the station was heard; `nil` before its first audio, and if little has come since the last call.
    ///
    /// A clock that was set ends the stretch, and another one begins: else nobody having listened, for as long as the clock was
    /// wrong, would count as heard.
    ///
    /// - Parameters:
    ///   - end: Until when it was heard.
    ///   - stream: Where in the stream that is, in seconds.
    ///   - earliest: The date of the stream's present moment: a connection's first dates may move back.
    ///   - isForced: `true` if little is enough.
    mutating func stretch(until end: Date, stream: Double, earliest: Date, isForced: Bool) -> Range<Date>? {
        guard var begin = start else { return nil }
        if let told {
            let gone = max(0, stream - told.stream)
            if abs(end.timeIntervalSince(told.until) - gone) > Self.tolerance {
                begin = end.addingTimeInterval(-gone)
                (start, self.told) = (begin, nil)
            }
        }
        begin = min(begin, earliest)
        let end = max(begin, end)
        if let told, told.until == end || !isForced && abs(end.timeIntervalSince(told.until)) < Self.interval {
            return nil
        }
        told = (end, stream)
        return begin..<end
    }
}
