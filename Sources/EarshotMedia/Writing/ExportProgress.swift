public import EarshotCore

/// How far an export has come.
public struct ExportProgress: Hashable, Sendable {
    /// The part done, from 0 to 1; absent when the duration is not known. It never falls, and is 1 only after the file is there.
    public internal(set) var fraction: Double?
    /// Frames converted.
    public internal(set) var frameCount: Int64 = 0
    /// Bytes of samples, or of packets, taken from the source.
    public internal(set) var byteCount: Int64 = 0
    /// The time at the end of what was converted, on the asset's timeline.
    public internal(set) var position: MediaTime = .zero
    /// Seconds since it began.
    public internal(set) var elapsed: Double = 0
    /// Seconds that it is likely to take yet; absent when that is not known.
    public internal(set) var remaining: Double?
}

/// Keeps the progress of an export, and passes on at most ten reports a second: a state machine without a clock of its own.
struct ExportMeter: Sendable {
    private static let interval = MediaTime(value: 1, timescale: 10)
    /// What is shown until the file is there.
    private static let almost = 0.9999

    private(set) var progress = ExportProgress()
    private let start: MediaTime
    private let expected: MediaTime?
    private let began: MediaTime
    private var lastReport: MediaTime?

    /// - Parameters:
    ///   - start: The asset's time at which it begins.
    ///   - expected: How much will be converted, where that is known.
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
