import Foundation

/// The periodicity of an onset envelope: its autocorrelation over windows of 12 s, and its Fourier transform at the
/// tempi looked for.
///
/// A lag of several beats has a high autocorrelation too, a frequency of several onsets a beat a high Fourier magnitude;
/// both together single out the beat (G. Peeters, "Time variable tempo detection and beat marking", ICMC 2005; P. Grosche,
/// M. Müller and F. Kurth, "Cyclic tempogram", ICASSP 2010). The windows are averaged, and no more than 256 of them are
/// looked at, evenly spread: how long the work takes does not grow with the audio beyond half an hour.
struct Tempogram: Sendable {
    /// Tempi looked for, in beats a minute.
    static let tempi = 45.0...220.0
    /// Values of a window: 12 s.
    static let window = 1200
    private static let windowLimit = 256
    /// The longest lag: four beats of the slowest tempo.
    private static let longestLag = 540

    /// The autocorrelation at each lag, in values of the envelope; 1 at none.
    private(set) var autocorrelation: [Double]
    /// The magnitude at frequencies from 0.3 to 8 Hz, 2 % apart, as a share of the most that there could be.
    private let magnitudes: [Double]

    private static let lowestFrequency = 0.3
    private static let frequencyStep = log(1.02)
    private static let frequencyCount = Int(log(8 / lowestFrequency) / frequencyStep) + 2

    /// The tempogram of an evened envelope; `nil` if it is empty or all zero.
    init?(_ envelope: [Float]) {
        let length = min(Self.window, envelope.count)
        guard length >= 2 else { return nil }
        let spare = envelope.count - length
        let count = min(Self.windowLimit, spare / (Self.window / 4) + 1)
        let lags = min(Self.longestLag, length / 2)
        var sums = [Double](repeating: 0, count: lags + 1)
        var spectra = [Double](repeating: 0, count: Self.frequencyCount)
        var energy = 0.0
        for number in 0..<count {
            let start = count > 1 ? spare * number / (count - 1) : 0
            let values = Self.centered(envelope[start..<start + length])
            for lag in 0...lags {
                var sum: Float = 0
                for index in lag..<length { sum += values[index] * values[index - lag] }
                // Fewer products make up a long lag.
                sums[lag] += Double(sum) * Double(length) / Double(length - lag)
            }
            for index in spectra.indices {
                spectra[index] += Self.power(of: values, at: Self.frequency(index))
            }
            energy += values.reduce(0) { $0 + Double($1) * Double($1) } * Double(length)
        }
        guard sums[0] > 0, energy > 0 else { return nil }
        autocorrelation = sums.map { $0 / sums[0] }
        magnitudes = spectra.map { ($0 / energy).squareRoot() }
    }

    private static func frequency(_ index: Int) -> Double { lowestFrequency * exp(frequencyStep * Double(index)) }

    private static func centered(_ values: ArraySlice<Float>) -> [Float] {
        let mean = values.reduce(0, +) / Float(values.count)
        return values.map { $0 - mean }
    }

    /// The power at a frequency under a Hann window, by rotation of a phasor.
    private static func power(of values: [Float], at frequency: Double) -> Double {
        let angle = 2 * Double.pi * frequency / OnsetEnvelope.rate
        let (turnReal, turnImaginary) = (cos(angle), sin(angle))
        let taper = 2 * Double.pi / Double(values.count)
        let (taperReal, taperImaginary) = (cos(taper), sin(taper))
        var (re, im, tr, ti) = (1.0, 0.0, 1.0, 0.0)
        var (x, y) = (0.0, 0.0)
        for value in values {
            let weighted = Double(value) * (1 - tr)
            x += weighted * re
            y += weighted * im
            (re, im) = (re * turnReal - im * turnImaginary, re * turnImaginary + im * turnReal)
            (tr, ti) = (tr * taperReal - ti * taperImaginary, tr * taperImaginary + ti * taperReal)
        }
        return x * x + y * y
    }

    /// The autocorrelation at a lag between two values; 0 beyond the longest.
    func correlation(at lag: Double) -> Double {
        let below = Int(lag)
        guard lag >= 0, below + 1 < autocorrelation.count else { return 0 }
        let part = lag - Double(below)
        return autocorrelation[below] * (1 - part) + autocorrelation[below + 1] * part
    }

    /// The magnitude at a frequency in hertz.
    func magnitude(at frequency: Double) -> Double {
        let place = log(frequency / Self.lowestFrequency) / Self.frequencyStep
        let below = Int(max(0, place))
        guard place >= 0, below + 1 < magnitudes.count else { return 0 }
        let part = place - Double(below)
        return magnitudes[below] * (1 - part) + magnitudes[below + 1] * part
    }

    /// A period by the places at which the autocorrelation peaks near one to four beats, each between values of the envelope.
    ///
    /// The comb has its maxima at whole lags, because it reads between two values in a straight line: tempi of 119.9 to 120.3 all
    /// come out as 120.03 by it. A parabola through three values has its top where the peak is; clicks of 60 to 175 beats a
    /// minute come out within 0.03 %.
    ///
    /// - Parameter period: The beat to within some hundredths, in values of the envelope.
    /// - Returns: The period; the given one where there is no peak.
    func exact(period: Double) -> Double {
        var (lags, weights) = (0.0, 0.0)
        for multiple in 1...4 {
            let beats = Double(multiple)
            guard let peak = peak(near: period * beats) else { continue }
            // Least squares of lags in proportion to their numbers of beats.
            lags += peak.height * beats * peak.lag
            weights += peak.height * beats * beats
        }
        return weights > 0 ? lags / weights : period
    }

    /// The top of the autocorrelation within 1 % of a lag, or within one and a half values.
    private func peak(near lag: Double) -> (lag: Double, height: Double)? {
        let reach = max(1.5, lag * 0.01)
        let low = max(1, Int((lag - reach).rounded(.up)))
        let high = min(autocorrelation.count - 2, Int((lag + reach).rounded(.down)))
        guard low <= high, let top = (low...high).max(by: { autocorrelation[$0] < autocorrelation[$1] }) else {
            return nil
        }
        let (left, middle, right) = (autocorrelation[top - 1], autocorrelation[top], autocorrelation[top + 1])
        guard middle > 0, middle >= left, middle >= right else { return nil }
        let curvature = left - 2 * middle + right
        return (Double(top) + (curvature < 0 ? (left - right) / curvature / 2 : 0), middle)
    }

    /// The mean autocorrelation at one to four beats, as far as they are there.
    ///
    /// - Parameter period: The beat, in values of the envelope.
    func comb(period: Double) -> Double {
        var (sum, weight) = (0.0, 0.0)
        for multiple in 1...4 {
            let lag = period * Double(multiple)
            guard lag < Double(autocorrelation.count - 1) else { break }
            let share = 1 / Double(multiple).squareRoot()
            sum += share * correlation(at: lag)
            weight += share
        }
        return weight > 0 ? sum / weight : 0
    }
}
