import EarshotDSP
import EarshotSignatures
import Foundation

/// An assumption about how a query was changed in speed or pitch.
struct Hypothesis: Hashable, Sendable {
    /// Reference seconds that pass in one second of the query.
    var speed: Double
    /// The pitch of the query relative to the reference, in bins of the frequency axis.
    var pitch: Double

    /// The original speed and pitch.
    static let plain = Hypothesis(speed: 1, pitch: 0)

    /// The hypotheses that are tried if ``plain`` gives no answer, over ``SearchRange``: playback at another speed,
    /// which changes the pitch too; another pitch at the same tempo; another tempo at the same pitch. The steps are no
    /// wider than keys and probes tolerate: 2.5 % of speed with its pitch, 4 % of tempo, 2 bins of pitch.
    static let escalation: [Hypothesis] = {
        let played = steps(of: 0.025, about: 1, in: SearchRange.speeds).map {
            Hypothesis(speed: $0, pitch: bins(ofRatio: $0))
        }
        let stretched = steps(of: 0.04, about: 1, in: SearchRange.speeds).map { Hypothesis(speed: $0, pitch: 0) }
        let shifted = steps(of: 2, about: 0, in: SearchRange.pitches).map { Hypothesis(speed: 1, pitch: $0) }
        return played + shifted + stretched
    }()

    /// Returns the multiples of a step to both sides of a middle that lie in a range, the nearest first.
    private static func steps(of step: Double, about middle: Double, in range: ClosedRange<Double>) -> [Double] {
        let reach = max(middle - range.lowerBound, range.upperBound - middle)
        return (1...max(1, Int((reach / step).rounded(.up))))
            .flatMap { [middle - Double($0) * step, middle + Double($0) * step] }
            .filter(range.contains)
    }

    /// Converts a ratio of frequencies to a distance on the frequency axis, in bins.
    static func bins(ofRatio ratio: Double) -> Double {
        log2(ratio) * Double(FrequencyAxis.binsPerOctave)
    }

    /// Converts a distance on the frequency axis, in bins, to a ratio of frequencies.
    static func ratio(ofBins bins: Double) -> Double {
        exp2(bins / Double(FrequencyAxis.binsPerOctave))
    }
}
