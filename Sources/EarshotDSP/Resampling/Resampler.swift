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
    /// `interpolation` rows of `tapCount` coefficients; empty when the rates are equal.
    private let coefficients: [Float]

    /// Input not used up yet, its first sample standing at `historyStart` of the input.
    private var history: [Float]
    private var historyStart: Int
    private var inputCount = 0
    private var outputCount = 0

    package init(from inputRate: Int, to outputRate: Int) {
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
            history.withUnsafeBufferPointer { samples in
                coefficients.withUnsafeBufferPointer { table in
                    output += [Float](unsafeUninitializedCapacity: count) { results, filled in
                        var rows = Rows(self, samples, table)
                        for index in stride(from: 0, to: count - 3, by: 4) {
                            let four = Self.dots(rows.next(), rows.next(), rows.next(), rows.next(), tapCount)
                            for lane in 0..<4 { results.initializeElement(at: index + lane, to: four[lane]) }
                        }
                        for index in count & ~3..<count {
                            results.initializeElement(at: index, to: Self.dot(rows.next(), tapCount).sum())
                        }
                        filled = count
                    }
                }
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

    /// The samples and the coefficients of one output after the other; steps on without a division.
    private struct Rows {
        private var sample: UnsafePointer<Float>
        private var phase: Int
        private let table: UnsafePointer<Float>
        private let interpolation: Int
        private let taps: Int
        private let sampleStep: Int
        private let phaseStep: Int

        init(
            _ resampler: Resampler,
            _ samples: UnsafeBufferPointer<Float>,
            _ table: UnsafeBufferPointer<Float>
        ) {
            let position = resampler.outputCount * resampler.decimation
            let whole = position / resampler.interpolation
            sample = samples.baseAddress! + (whole - resampler.tapCount / 2 + 1 - resampler.historyStart)
            phase = position % resampler.interpolation
            self.table = table.baseAddress!
            interpolation = resampler.interpolation
            taps = resampler.tapCount
            sampleStep = resampler.decimation / resampler.interpolation
            phaseStep = resampler.decimation % resampler.interpolation
        }

        @inline(__always)
        mutating func next() -> (UnsafeRawPointer, UnsafeRawPointer) {
            let row = (UnsafeRawPointer(sample), UnsafeRawPointer(table + phase * taps))
            sample += sampleStep
            phase += phaseStep
            if phase >= interpolation {
                phase -= interpolation
                sample += 1
            }
            return row
        }
    }

    /// Eight partial sums of a dot product.
    @inline(__always)
    private static func dot(_ row: (UnsafeRawPointer, UnsafeRawPointer), _ count: Int) -> SIMD8<Float> {
        var sum = SIMD8<Float>.zero
        var offset = 0
        while offset < count &* 4 {
            sum +=
                row.0.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                * row.1.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
            offset &+= 32
        }
        return sum
    }

    /// Four dot products side by side. Each adds its eight partial sums in the order in which `sum()` does, so that an
    /// output does not depend on its neighbours; one at a time, that chain of additions would take half of all time.
    @inline(__always)
    private static func dots(
        _ row0: (UnsafeRawPointer, UnsafeRawPointer),
        _ row1: (UnsafeRawPointer, UnsafeRawPointer),
        _ row2: (UnsafeRawPointer, UnsafeRawPointer),
        _ row3: (UnsafeRawPointer, UnsafeRawPointer),
        _ count: Int
    ) -> SIMD4<Float> {
        let (a, b, c, d) = (dot(row0, count), dot(row1, count), dot(row2, count), dot(row3, count))
        var sum = SIMD4(a[0], b[0], c[0], d[0])
        sum += SIMD4(a[1], b[1], c[1], d[1])
        sum += SIMD4(a[2], b[2], c[2], d[2])
        sum += SIMD4(a[3], b[3], c[3], d[3])
        sum += SIMD4(a[4], b[4], c[4], d[4])
        sum += SIMD4(a[5], b[5], c[5], d[5])
        sum += SIMD4(a[6], b[6], c[6], d[6])
        return sum + SIMD4(a[7], b[7], c[7], d[7])
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
