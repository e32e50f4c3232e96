import EarshotCore

/// Keeps the progress of an export, and passes on at most ten reports a second: a state machine without a clock of its own.
struct ExportMeter: Sendable {
    private static let interval = MediaTime(value: 1, timescale: 10)
    /// The progress shown until the file is complete.
    private static let almost = 0.9999

    private(set) var progress = ExportProgress()
    private let start: MediaTime
    private let expected: MediaTime?
    private let began: MediaTime
    private var lastReport: MediaTime?

    /// - Parameters:
    ///   - start: The asset's time at which it begins.
    ///   - expected: The duration that will be converted, if known.
    ///   - now: The time on any clock.
    init(start: MediaTime, expected: MediaTime?, now: MediaTime) {
        (self.start, self.expected, began) = (start, expected, now)
        progress.position = start
        progress.fraction = expected == nil ? nil : 0
    }

    /// Counts what was converted; gives the progress where a report of it is due.
    mutating func converted(
        frames: Int,
        bytes: Int,
        to position: MediaTime,
        now: MediaTime
    ) -> ExportProgress? {
        progress.frameCount += Int64(frames)
        progress.byteCount += Int64(bytes)
        progress.position = max(progress.position, position)
        progress.elapsed = (now - began).seconds
        if let expected, expected.seconds > 0 {
            let part = min((progress.position - start).seconds / expected.seconds, Self.almost)
            let fraction = max(progress.fraction ?? 0, part)
            progress.fraction = fraction
            progress.remaining = fraction > 0 ? progress.elapsed * (1 - fraction) / fraction : nil
        }
        if let lastReport, now - lastReport < Self.interval { return nil }
        lastReport = now
        return progress
    }

    /// The last report, when the file is there.
    mutating func finished(now: MediaTime) -> ExportProgress {
        progress.elapsed = (now - began).seconds
        if expected != nil { progress.fraction = 1 }
        progress.remaining = 0
        return progress
    }
}
