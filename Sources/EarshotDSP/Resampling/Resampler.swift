import CKernels
import Foundation

/// Brings mono audio of any rate to the analysis rate with a polyphase windowed-sinc filter.
///
/// Output frame *n* stands exactly at input position *n · rate / analysis rate*: the filter has linear phase and its
/// delay is taken out. Each output is one dot product over the same input samples in the same order, so how the input
/// was cut into buffers cannot be seen in the result.
///
/// Only the band that landmarks come from must stay clean, so downsampling may let the region above it alias into
/// itself: the filter passes 6 kHz and stops where a fold would fall back below 6 kHz. Attenuation is 80 dB (Kaiser
/// window, length by Kaiser's formula).
package struct Resampler: Sendable {
    package let inputRate: Int
    private let outputRate: Int
    private let interpolation: Int
    private let decimation: Int
    private let tapCount: Int
    private let kind: ProcessorKind
    /// `interpolation` rows of `tapCount` coefficients; empty when the rates are equal.
    private let coefficients: [Float]

    /// Input not used up yet, its first sample standing at `historyStart` of the input.
    private var history: [Float]
    private var historyStart: Int
    private var inputCount = 0
    private var outputCount = 0

    package init(from inputRate: Int, to outputRate: Int, on kind: ProcessorKind = .best) {
        self.kind = kind
        self.inputRate = inputRate
        self.outputRate = outputRate
        var (a, b) = (inputRate, outputRate)
        while b != 0 { (a, b) = (b, a % b) }
        interpolation = outputRate / a
        decimation = inputRate / a
        guard inputRate != outputRate else {
            tapCount = 0
            coefficients = []
            history = []
            historyStart = 0
            return
        }
        let rate = Double(inputRate)
        let (pass, stop) =
            inputRate > outputRate
            ? (0.375 * Double(outputRate), 0.625 * Double(outputRate)) : (0.45 * rate, 0.55 * rate)
        let length = 5.02 * rate / (stop - pass)
        tapCount = (Int(length.rounded(.up)) + 7) / 8 * 8
        coefficients = Self.design(
            phases: interpolation,
            taps: tapCount,
            cutoff: (pass + stop) / 2 / rate
        )
        // Silence before the first sample, so that the first output has a full set of taps.
        history = [Float](repeating: 0, count: tapCount / 2 - 1)
        historyStart = -(tapCount / 2 - 1)
    }

    /// Takes input and adds what can be computed to `output`.
    package mutating func append(_ input: [Float], to output: inout [Float]) {
        inputCount += input.count
        guard tapCount > 0 else {
            output.append(contentsOf: input)
            outputCount += input.count
            return
        }
        history.append(contentsOf: input)
        drain(to: &output, limit: .max)
    }

    /// Adds what silence after the last sample gives, up to the length that the input so far stands for.
    package mutating func finish(to output: inout [Float]) {
        guard tapCount > 0 else { return }
        let total = (inputCount * outputRate + inputRate / 2) / inputRate
        history.append(contentsOf: repeatElement(0, count: tapCount))
        drain(to: &output, limit: total)
    }

    private mutating func drain(to output: inout [Float], limit: Int) {
        let count = max(0, min(limit, computableCount) - outputCount)
        if count > 0 {
            output += [Float](unsafeUninitializedCapacity: count) { results, filled in
                filter(to: results, count: count)
                filled = count
            }
            outputCount += count
        }
        let needed = outputCount * decimation / interpolation - tapCount / 2 + 1
        let spent = min(max(0, needed - historyStart), history.count)
        // Moving the rest costs its length; do it only when much is spent.
        if spent > 4096 {
            history.removeFirst(spent)
            historyStart += spent
        }
    }

    /// Outputs, from the first on, for which all input is there: those whose position lies before the last half of the
    /// taps.
    private var computableCount: Int {
        let end = historyStart + history.count - tapCount / 2
        return end > 0 ? (end * interpolation + decimation - 1) / decimation : 0
    }

    /// Works out the next results, for which all input is there.
    private func filter(to results: UnsafeMutableBufferPointer<Float>, count: Int) {
        let position = outputCount * decimation
        let first = position / interpolation - tapCount / 2 + 1 - historyStart
        history.withUnsafeBufferPointer { samples in
            coefficients.withUnsafeBufferPointer { table in
                guard let samples = samples.baseAddress, let results = results.baseAddress else { return }
                var filter = earshot_filter(
                    taps: Int32(tapCount),
                    rows: Int32(interpolation),
                    sample_step: Int32(decimation / interpolation),
                    row_step: Int32(decimation % interpolation),
                    table: table.baseAddress
                )
                earshot_filter_samples(
                    kind.number,
                    &filter,
                    samples + first,
                    Int32(position % interpolation),
                    results,
                    Int32(count)
                )
            }
        }
    }

    /// Rows of a Kaiser-windowed sinc (beta 7.857 for 80 dB), each scaled to pass a constant unchanged.
    private static func design(phases: Int, taps: Int, cutoff: Double) -> [Float] {
        let beta = 7.857
        let half = Double(taps) / 2
        var table = [Float](repeating: 0, count: phases * taps)
        for phase in 0..<phases {
            var row = [Double](repeating: 0, count: taps)
            for tap in 0..<taps {
                // Distance, in input samples, of this tap from the output position.
                let distance = Double(tap) - (half - 1) - Double(phase) / Double(phases)
                let angle = 2 * cutoff * distance
                let sinc = angle == 0 ? 1 : sin(.pi * angle) / (.pi * angle)
                let edge = distance / half
                row[tap] = abs(edge) < 1 ? sinc * bessel(beta * (1 - edge * edge).squareRoot()) : 0
            }
            let sum = row.reduce(0, +)
            for tap in 0..<taps { table[phase * taps + tap] = Float(row[tap] / sum) }
        }
        return table
    }

    /// The modified Bessel function of order zero, by its power series.
    private static func bessel(_ argument: Double) -> Double {
        var (term, sum, index) = (1.0, 1.0, 1.0)
        while term > sum * 1e-12 {
            term *= (argument / 2 / index) * (argument / 2 / index)
            sum += term
            index += 1
        }
        return sum
    }
}
