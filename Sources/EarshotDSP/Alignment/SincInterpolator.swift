import Foundation

/// Reads samples at places between samples: a sinc of 32 taps under a Kaiser window.
///
/// 256 rows of coefficients stand for the places between two samples, and what lies between two rows is interpolated
/// linearly. When the places are farther apart than the samples, the cut-off is lowered, so that nothing folds back.
struct SincInterpolator: Sendable {
    /// Samples to either side that a place needs.
    static let reach = 16
    private static let taps = 2 * reach
    private static let phases = 256
    private let table: [Float]
    /// From one place to the next, in samples.
    let step: Double

    /// - Parameter step: From one place to the next, in samples; above zero.
    init(step: Double) {
        self.step = step
        let cutoff = min(1, 1 / step)
        let beta = 8.0
        var table = [Float](repeating: 0, count: (Self.phases + 1) * Self.taps)
        for phase in 0...Self.phases {
            var row = [Double](repeating: 0, count: Self.taps)
            for tap in 0..<Self.taps {
                let distance = Double(tap - Self.reach + 1) - Double(phase) / Double(Self.phases)
                let edge = distance / Double(Self.reach)
                guard abs(edge) < 1 else { continue }
                let angle = .pi * cutoff * distance
                let sinc = angle == 0 ? 1 : sin(angle) / angle
                row[tap] = sinc * Self.bessel(beta * (1 - edge * edge).squareRoot())
            }
            let sum = row.reduce(0, +)
            for tap in 0..<Self.taps { table[phase * Self.taps + tap] = Float(row[tap] / sum) }
        }
        self.table = table
    }

    /// Samples at evenly spaced places.
    ///
    /// - Parameters:
    ///   - source: The samples; outside of them there is silence.
    ///   - position: The first place, in samples of `source`.
    ///   - count: The number of places.
    func samples(of source: [Float], from position: Double, count: Int) -> [Float] {
        // Silence to either side, so that every place has all its taps.
        let margin = Self.taps
        var padded = [Float](repeating: 0, count: source.count + 2 * margin)
        padded.replaceSubrange(margin..<margin + source.count, with: source)
        return [Float](unsafeUninitializedCapacity: max(0, count)) { output, filled in
            padded.withUnsafeBytes { samples in
                table.withUnsafeBytes { table in
                    for index in 0..<max(0, count) {
                        let place = position + Double(index) * step
                        let whole = place.rounded(.down)
                        var value: Float = 0
                        if whole > -Double(Self.reach), whole < Double(source.count + Self.reach) {
                            let fraction = (place - whole) * Double(Self.phases)
                            let phase = min(Self.phases - 1, Int(fraction))
                            value = Self.dot(
                                samples,
                                at: Int(whole) - Self.reach + 1 + margin,
                                table,
                                row: phase,
                                between: Float(fraction - Double(phase))
                            )
                        }
                        output.initializeElement(at: index, to: value)
                    }
                }
            }
            filled = max(0, count)
        }
    }

    /// The sum over 32 samples from one on, with coefficients between two rows.
    @inline(__always)
    private static func dot(
        _ samples: UnsafeRawBufferPointer,
        at first: Int,
        _ table: UnsafeRawBufferPointer,
        row: Int,
        between: Float
    ) -> Float {
        var sum = SIMD8<Float>.zero
        var offset = 0
        while offset < taps * 4 {
            let low = table.loadUnaligned(fromByteOffset: row * taps * 4 + offset, as: SIMD8<Float>.self)
            let high = table.loadUnaligned(fromByteOffset: (row + 1) * taps * 4 + offset, as: SIMD8<Float>.self)
            let part = samples.loadUnaligned(fromByteOffset: first * 4 + offset, as: SIMD8<Float>.self)
            sum += part * (low + (high - low) * between)
            offset += 32
        }
        return sum.sum()
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
