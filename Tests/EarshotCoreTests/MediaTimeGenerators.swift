import EarshotCore
import TestSupport

extension SeededGenerator {
    /// A numeric time of any size, small ones and common scales included.
    mutating func numericTime() -> MediaTime {
        let bits = Int64.random(in: 1...63, using: &self)
        let value = Int64(truncatingIfNeeded: next()) >> (64 - bits - 1)
        return MediaTime(value: value, timescale: timescale())
    }

    /// A time for which sums are exact: scales of media, values of an hour.
    mutating func smallTime() -> MediaTime {
        let scale = [1, 24, 25, 30, 600, 1000, 8000, 44_100, 48_000].randomElement(using: &self) ?? 1
        return MediaTime(value: Int64.random(in: -200_000_000...200_000_000, using: &self), timescale: Int32(scale))
    }

    /// A time of any state.
    mutating func anyTime() -> MediaTime {
        let special: [MediaTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero]
        return Int.random(in: 0..<8, using: &self) == 0 ? special.randomElement(using: &self) ?? .zero : numericTime()
    }

    /// The same time, at another scale when there is room for it.
    mutating func same(as time: MediaTime) -> MediaTime {
        let factor = Int32.random(in: 1...50, using: &self)
        let (value, overflow) = time.value.multipliedReportingOverflow(by: Int64(factor))
        let (scale, wide) = time.timescale.multipliedReportingOverflow(by: factor)
        guard time.isNumeric, !overflow, !wide else { return time }
        return MediaTime(value: value, timescale: scale)
    }

    private mutating func timescale() -> Int32 {
        let common: [Int32] = [1, 24, 25, 30, 600, 30_000, 44_100, 48_000, 90_000, 96_000, .max]
        return Bool.random(using: &self)
            ? common.randomElement(using: &self) ?? 1 : Int32.random(in: 1...Int32.max, using: &self)
    }
}
