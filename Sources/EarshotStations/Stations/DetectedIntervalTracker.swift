import Foundation

/// Decides when the interval in which a station was received is written to the log, by the log's dates.
struct DetectedIntervalTracker: Sendable {
    /// The interval between two writes, in seconds.
    private static let interval = 10.0
    /// The largest difference between dates and the stream's own time, in seconds. More means that the clock was set.
    private static let tolerance = 300.0

    private var start: Date?
    /// The end of the last interval that was returned, and its position in the stream, in seconds.
    private var told: (until: Date, stream: Double)?

    /// Records that audio was received.
    ///
    /// - Parameter date: The time at which it began.
    mutating func begin(_ date: Date) { start = start ?? date }

    /// Returns the interval in which the station was received; `nil` before its first audio, and if little has been
    /// added since the last call.
    ///
    /// If the clock was set, the interval ends and another one begins. Otherwise the time for which the clock was wrong
    /// would count as received.
    ///
    /// - Parameters:
    ///   - end: The time up to which it was received.
    ///   - stream: The position of that time in the stream, in seconds.
    ///   - earliest: The date of the stream's current position, because the first dates of a connection may move back.
    ///   - isForced: `true` to return the interval even if little has been added.
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
