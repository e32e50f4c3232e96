import EarshotCore
import EarshotSignatures
import Foundation

/// Conversion of wall-clock times to steps of 2 ms since 1970, the grid of landmarks.
enum LiveTime {
    /// The number of steps in a second.
    static let stepsPerSecond = Int64(Landmark.stepsPerSecond)
    /// The valid times, in milliseconds since 1970, up to the end of the year 9999.
    static let milliseconds: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Converts a date to milliseconds since 1970; `nil` outside of ``milliseconds``.
    static func milliseconds(_ date: Date) -> Int64? {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        guard value >= 0, value <= Double(milliseconds.upperBound) else { return nil }
        return Int64(value)
    }

    static func date(milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    static func step(milliseconds: Int64) -> Int64 { milliseconds / 2 }

    static func date(_ step: Int64) -> Date { date(milliseconds: step * 2) }

    /// Converts a date to a step. Dates outside of the limits are clamped.
    static func step(_ date: Date) -> Int64 {
        let value = (date.timeIntervalSince1970 * 1_000).rounded()
        guard value > 0 else { return 0 }
        return step(milliseconds: Int64(min(value, Double(milliseconds.upperBound))))
    }

    /// Converts a duration to steps, rounded down; 0 if it is not finite.
    static func steps(_ time: MediaTime) -> Int64 {
        guard time.isNumeric else { return 0 }
        return time.converted(toTimescale: Int32(Landmark.stepsPerSecond), rounding: .towardNegativeInfinity).value
    }

    static func time(_ steps: Int64) -> MediaTime {
        MediaTime(value: steps, timescale: Int32(Landmark.stepsPerSecond))
    }
}
