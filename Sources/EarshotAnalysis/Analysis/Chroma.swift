import EarshotDSP
import Foundation

/// The strength of each pitch class, in steps of a tenth of a semitone, summed over a whole recording.
///
/// Peaks of the spectrum from 52 Hz to 2.1 kHz are placed between bins by a parabola through the logarithms of their
/// powers. Each stands for the note whose fundamental it may be, and with falling weight for those whose second to fourth
/// harmonic it may be (E. Gómez, "Tonal description of polyphonic audio for music content processing", INFORMS Journal on
/// Computing 18 (3), 2006). Every frame counts with the logarithm of its loudness, so that loud passages do not decide
/// alone.
struct Chroma: Sendable {
    /// Steps of an octave.
    private static let steps = 120
    /// Samples of a frame at 16 kHz: 512 ms.
    private static let frameSize = 8192
    /// Samples from one frame to the next.
    private static let hop = 4096
    /// The bins looked at, 1.95 Hz apart.
    private static let bins = 12..<1100
    /// Bins on either side that a peak has to stand out from.
    private static let reach = 16
    /// The least ratio of a peak's power to the mean power around it.
    private static let prominence: Float = 4
    /// Peaks this far below the highest of their frame count for nothing: 50 dB.
    private static let range: Float = 1e-5
    /// Below this power a peak is silence: about -80 dB of full scale.
    private static let silence: Float = 0.03
    /// The weight of each next harmonic.
    private static let harmonicDecay = 0.6
    /// The last harmonic that a peak may be.
    private static let harmonicCount = 4
    /// The exponent applied to power: it gives the square root of the amplitude, which is near to loudness.
    private static let exponent: Float = 0.25

    /// The strength of each step, from C on, for a tuning of A4 = 440 Hz.
    private(set) var values = [Double](repeating: 0, count: Chroma.steps)
    /// The frames that had peaks.
    private(set) var frames = 0
    /// The deviations of peaks from semitones, as a sum of phasors with their strengths.
    private var tuningReal = 0.0
    private var tuningImaginary = 0.0
    private var tuningWeight = 0.0
    private var spectrum = ShortTimeSpectrum(size: Chroma.frameSize, hop: Chroma.hop, bins: Chroma.bins)

    /// Creates an empty chroma.
    init() {}

    /// Takes mono samples at 16 kHz.
    mutating func append(_ samples: [Float]) {
        var peaks: [[Peak]] = []
        spectrum.append(samples) { peaks.append(Self.peaks(of: $0)) }
        for frame in peaks { add(frame) }
    }

    /// Takes the frames that wait for a batch to fill. Nothing may be appended afterwards.
    mutating func finish() {
        var peaks: [[Peak]] = []
        spectrum.finish { peaks.append(Self.peaks(of: $0)) }
        for frame in peaks { add(frame) }
    }

    /// The average deviation of the peaks from the semitones of A4 = 440 Hz, in cents: −50 to 50.
    var tuning: Double {
        tuningWeight > 0 ? atan2(tuningImaginary, tuningReal) / (2 * .pi) * 100 : 0
    }

    /// The agreement of the peaks on the tuning, 0 to 1.
    var tuningAgreement: Double {
        guard tuningWeight > 0 else { return 0 }
        return (tuningReal * tuningReal + tuningImaginary * tuningImaginary).squareRoot() / tuningWeight
    }

    /// The contrast of the pitch classes: their standard deviation divided by their mean.
    var contrast: Double {
        let classes = pitchClasses
        let mean = classes.reduce(0, +) / 12
        guard mean > 0 else { return 0 }
        return (classes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 12).squareRoot() / mean
    }

    /// The energy of the twelve pitch classes from C, in the tuning of the recording. Each contains the peaks within
    /// half a semitone, weighted by distance.
    var pitchClasses: [Double] {
        let perSemitone = Self.steps / 12
        return (0..<12).map { pitchClass in
            let center = Double(pitchClass * perSemitone) + tuning / 100 * Double(perSemitone)
            var sum = 0.0
            for offset in -perSemitone / 2...perSemitone / 2 {
                let step = Int(center.rounded()) + offset
                let distance = (Double(step) - center) / Double(perSemitone)
                let weight = abs(distance) < 0.5 ? cos(.pi * distance) : 0
                sum += weight * weight * values[(step + Self.steps) % Self.steps]
            }
            return sum
        }
    }

    // MARK: - Peaks

    /// A partial: its height in semitones above C0 and its strength.
    private struct Peak {
        var height: Double
        var strength: Double
    }

    private static func peaks(of powers: UnsafeBufferPointer<Float>) -> [Peak] {
        let highest = powers.max() ?? 0
        guard highest > silence else { return [] }
        let least = max(silence, highest * range)
        var peaks: [Peak] = []
        for index in 1..<powers.count - 1 {
            let power = powers[index]
            guard power > least, power >= powers[index - 1], power > powers[index + 1] else { continue }
            // Worked out anew for each: a running sum would lose what is quiet beside what was loud.
            let around = max(0, index - reach)..<min(powers.count, index + reach + 1)
            var sum: Float = 0
            for near in around { sum += powers[near] }
            guard power * Float(around.count) > prominence * sum else { continue }
            let (below, here, above) = (
                log(max(powers[index - 1], 1e-20)), log(power), log(max(powers[index + 1], 1e-20))
            )
            let curve = below - 2 * here + above
            let shift = curve < 0 ? 0.5 * (below - above) / curve : 0
            let frequency =
                (Double(index + bins.lowerBound) + Double(shift)) * Double(AnalysisStream.sampleRate)
                / Double(frameSize)
            // C0 is 57 semitones below A4.
            peaks.append(
                Peak(height: 12 * log2(frequency / 440) + 57, strength: Double(pow(power, exponent)))
            )
        }
        return peaks
    }

    private mutating func add(_ peaks: [Peak]) {
        let total = peaks.reduce(0) { $0 + $1.strength }
        guard total > 0 else { return }
        frames += 1
        let scale = log2(1 + total) / total
        for peak in peaks {
            let strength = peak.strength * scale
            let angle = 2 * Double.pi * (peak.height - peak.height.rounded())
            // Low peaks are placed less exactly than a tuning needs.
            if peak.height >= 36 {
                tuningReal += strength * cos(angle)
                tuningImaginary += strength * sin(angle)
                tuningWeight += strength
            }
            var weight = strength
            for harmonic in 1...Self.harmonicCount {
                let height = peak.height - 12 * log2(Double(harmonic))
                // Below 52 Hz, the G sharp of octave 1, notes lie closer together than bins tell apart.
                guard height >= 20 else { break }
                let step = Int((height * Double(Self.steps) / 12).rounded()) % Self.steps
                values[step] += weight
                weight *= Self.harmonicDecay
            }
        }
    }
}
