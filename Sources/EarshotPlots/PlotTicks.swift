import EarshotDSP
import EarshotSignatures
import Foundation

/// The labeled places of an axis.
package struct PlotTicks: Hashable, Sendable {
    /// One place.
    package struct Tick: Hashable, Sendable {
        package var value: Double
        package var label: String
    }

    /// In ascending order.
    package let ticks: [Tick]
    /// The unit of the labels: `s`, `min:s` or `h:min:s`.
    package let unit: String

    /// Round times within a range, at most as many as there is room for; none before zero.
    package static func times(in range: ClosedRange<Double>, limit: Int) -> PlotTicks {
        let steps: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 18_000, 36_000,
        ]
        let length = range.upperBound - range.lowerBound
        let step = steps.first { length / $0 <= Double(max(1, limit) - 1) } ?? max(72_000, length)
        // The slack is for the rounding of the division alone: 0.3 / 0.1 is a little under 3.
        let first = Int((max(0, range.lowerBound) / step - 1e-9).rounded(.up))
        let last = Int((range.upperBound / step + 1e-9).rounded(.down))
        let isClock = range.upperBound >= 60
        let ticks = (first..<max(first, last + 1)).map { index in
            let value = Double(index) * step
            let decimals = step < 1 ? 1 : 0
            let label =
                isClock ? PlotText.clock(value, decimals: decimals) : PlotText.fixed(value, decimals: decimals)
            return Tick(value: value, label: label)
        }
        let unit = !isClock ? "s" : range.upperBound >= 3_600 ? "h:min:s" : "min:s"
        return PlotTicks(ticks: ticks, unit: unit)
    }

    /// The frequencies that are labeled, at their places on the frequency axis, in bins.
    package static let frequencies = PlotTicks(
        ticks: [(200, "200 Hz"), (500, "500 Hz"), (1_000, "1 kHz"), (2_000, "2 kHz"), (5_000, "5 kHz")].map {
            Tick(value: bin(ofFrequency: $0.0), label: $0.1)
        },
        unit: "Hz"
    )

    /// Returns the place of a frequency in hertz, in bins.
    package static func bin(ofFrequency frequency: Double) -> Double {
        log2(frequency / FrequencyAxis.frequency(ofBin: 0)) * Double(FrequencyAxis.binsPerOctave)
    }
}
