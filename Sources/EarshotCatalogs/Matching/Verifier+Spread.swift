import EarshotDSP
import EarshotSignatures
import Foundation

extension Verifier {
    /// Returns the spread of the landmarks that fit a match over spectrum and time.
    func spread(on window: ReferenceWindow, _ alignment: Alignment) -> EvidenceSpread {
        let width = FrequencyAxis.binsPerOctave * Landmark.stepsPerBin
        var counts = [Double](repeating: 0, count: EvidenceSpread.octaveCount)
        for frequency in window.frequencies where Int(frequency) / width < counts.count {
            counts[Int(frequency) / width] += 1
        }
        // The probability that a landmark of the reference lies near a given place in its octave.
        let steps = Double(max(1, (window.times.last ?? 0) - (window.times.first ?? 0)))
        let area = (2 * Self.timeTolerance + 1) * (2 * Self.frequencyTolerance + 1)
        let chances = counts.map { min(max(1 - exp(-$0 * area / (steps * Double(width))), 0.02), 0.98) }
        var spread = EvidenceSpread(length: lastTime)
        forEachFit(on: window, alignment) { index, isMatched in
            let octave = Int(max(0, frequencies[index] - alignment.pitch)) / width
            guard octave < chances.count else { return }
            let chance = chances[octave]
            let value = ((isMatched ? 1 : 0) - chance) / (chance * (1 - chance)).squareRoot()
            spread.add(value, time: times[index], octave: octave)
        }
        return spread
    }
}
