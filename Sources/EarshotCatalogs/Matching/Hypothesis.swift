import EarshotSignatures
import Foundation

/// An assumption about how a query was changed: played faster or slower, higher or lower.
struct Hypothesis: Hashable, Sendable {
    /// Reference seconds that pass in one second of the query.
    var speed: Double
    /// How far the query lies above the reference, in bins of the frequency axis.
    var pitch: Double

    /// Nothing was changed.
    static let plain = Hypothesis(speed: 1, pitch: 0)

    /// What is tried when the plain hypothesis gives no answer: playback at another speed (pitch follows) from 0.90 to
    /// 1.10, another tempo at the same pitch, another pitch at the same tempo up to 1.5 semitones. Steps are no wider
    /// than keys and probes tolerate: 2.5 % of speed with its pitch, 4 % of tempo, 2 bins of pitch.
    static let escalation: [Hypothesis] = {
        let played = [0.975, 1.025, 0.95, 1.05, 0.925, 1.075, 0.9, 1.1].map {
            Hypothesis(speed: $0, pitch: bins(ofRatio: $0))
        }
        let stretched = [0.96, 1.04, 0.92, 1.08].map { Hypothesis(speed: $0, pitch: 0) }
        let shifted = [-2.0, 2, -4, 4, -6, 6].map { Hypothesis(speed: 1, pitch: $0) }
        return played + shifted + stretched
    }()

    /// Whether an alignment lies within what is looked for, and a little beyond: speed 0.88 to 1.12, pitch 1.75 semitones
    /// either way. What refinement carries further is chance.
    static func isPlausible(_ alignment: Alignment) -> Bool {
        let pitch = alignment.pitch / Double(Landmark.stepsPerBin)
        return (0.88...1.12).contains(alignment.speed) && abs(pitch) <= 7
    }

    /// A ratio of frequencies as a distance on the frequency axis.
    static func bins(ofRatio ratio: Double) -> Double {
        log2(ratio) * Double(FrequencyAxisScale.binsPerOctave)
    }

    /// A distance on the frequency axis as a ratio of frequencies.
    static func ratio(ofBins bins: Double) -> Double {
        exp2(bins / Double(FrequencyAxisScale.binsPerOctave))
    }
}
