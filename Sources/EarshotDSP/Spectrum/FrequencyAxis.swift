import Foundation

/// Maps Fourier bins onto the logarithmic frequency axis on which landmarks live.
///
/// On this axis a change of pitch is a shift. Where Fourier bins stand wider than the axis's bins, below about 800 Hz,
/// the logarithm of the power is interpolated by a cubic: a windowed partial is close to a parabola there, so its true
/// peak is recovered between bins. Where they stand closer, the power under a triangle one axis bin wide to either side
/// is averaged.
package struct FrequencyAxis: Sendable {
    package typealias Lanes = FourierPlan.Lanes

    /// Samples of the frames whose bins are mapped.
    package static let frameSize = 2048
    /// Frequency of bin 0, in hertz.
    package static let lowestFrequency = 180.0
    package static let binsPerOctave = 48
    /// 240 bins reach from 180 Hz to 5,677 Hz.
    package static let binCount = 240

    private struct Cubic: Sendable {
        var firstBin: Int
        var weights: SIMD4<Float>
    }

    private struct Triangle: Sendable {
        var firstBin: Int
        var weightStart: Int
        var count: Int
    }

    /// The Fourier bins that the axis needs.
    package let sourceBins: Range<Int>
    private let cubics: [Cubic]
    private let triangles: [Triangle]
    private let weights: [Float]
    private let logarithmCount: Int

    package init(sampleRate: Int) {
        let spacing = Double(sampleRate) / Double(FrequencyAxis.frameSize)
        let ratio = exp2(1 / Double(Self.binsPerOctave))
        var cubics: [Cubic] = []
        var triangles: [Triangle] = []
        var weights: [Float] = []
        var lowest = Int.max
        var highest = 0
        for bin in 0..<Self.binCount {
            let position = Self.frequency(ofBin: Double(bin)) / spacing
            let width = position * (ratio - 1)
            if width < 1.5 {
                let whole = Int(position)
                cubics.append(Cubic(firstBin: whole - 1, weights: Self.catmullRom(Float(position - Double(whole)))))
                lowest = min(lowest, whole - 1)
                highest = max(highest, whole + 2)
            } else {
                let first = Int((position - width).rounded(.down)) + 1
                let last = Int((position + width).rounded(.up)) - 1
                let row = (first...last).map { 1 - abs(Double($0) - position) / width }
                let sum = row.reduce(0, +)
                triangles.append(Triangle(firstBin: first, weightStart: weights.count, count: row.count))
                weights += row.map { Float($0 / sum) }
                lowest = min(lowest, first)
                highest = max(highest, last)
            }
        }
        let start = lowest
        sourceBins = start..<highest + 1
        logarithmCount = (cubics.last.map { $0.firstBin + 4 } ?? start) - start
        self.cubics = cubics.map { Cubic(firstBin: $0.firstBin - start, weights: $0.weights) }
        self.triangles = triangles.map {
            Triangle(firstBin: $0.firstBin - start, weightStart: $0.weightStart, count: $0.count)
        }
        self.weights = weights
    }

    /// The frequency, in hertz, of a position on the axis.
    package static func frequency(ofBin bin: Double) -> Double {
        lowestFrequency * exp2(bin / Double(binsPerOctave))
    }

    /// Logarithms (base 2) of the power along the axis, for eight frames.
    ///
    /// - Parameters:
    ///   - powers: Powers of ``sourceBins``; the low part is overwritten by its logarithm.
    ///   - levels: Receives ``binCount`` values a frame.
    package func levels(
        of powers: UnsafeMutableBufferPointer<Lanes>,
        into levels: UnsafeMutableBufferPointer<Lanes>
    ) {
        precondition(powers.count >= sourceBins.count && levels.count >= Self.binCount)
        let source = powers.baseAddress!
        var bin = 0
        weights.withUnsafeBufferPointer { weights in
            // The triangles need powers, so they come before the low part is turned into logarithms.
            bin = cubics.count
            for triangle in triangles {
                var sum = Lanes.zero
                for index in 0..<triangle.count {
                    sum += source[triangle.firstBin + index] * weights[triangle.weightStart + index]
                }
                levels[bin] = Self.logarithm(sum)
                bin += 1
            }
        }
        for index in 0..<logarithmCount { source[index] = Self.logarithm(source[index]) }
        bin = 0
        for cubic in cubics {
            let first = source + cubic.firstBin
            let low = first[0] * cubic.weights[0] + first[1] * cubic.weights[1]
            levels[bin] = low + first[2] * cubic.weights[2] + first[3] * cubic.weights[3]
            bin += 1
        }
    }

    private static func catmullRom(_ t: Float) -> SIMD4<Float> {
        let (t2, t3) = (t * t, t * t * t)
        return SIMD4(-t + 2 * t2 - t3, 2 - 5 * t2 + 3 * t3, t + 4 * t2 - 3 * t3, -t2 + t3) * 0.5
    }

    /// The logarithm to base 2 from the exponent bits and a polynomial over the mantissa, good to 0.00004.
    ///
    /// The smallest addend keeps digital silence finite. It stands for a tone 140 dB below full scale, under the
    /// rounding of the arithmetic itself, so it is no level floor for audio.
    @inline(__always)
    package static func logarithm(_ power: Lanes) -> Lanes {
        let bits = unsafeBitCast(power + 1e-9, to: SIMD8<Int32>.self)
        let exponent = Lanes((bits &>> 23) &- 127)
        let m = unsafeBitCast(bits & 0x007F_FFFF | 0x3F80_0000, to: Lanes.self) - 1
        // log2(1 + m) ≈ m · (1 + (1 − m) · cubic), exact at both ends so that octaves join.
        let cubic = 0.442252 - m * (0.268883 - m * (0.150266 - m * 0.045301))
        return exponent + m + m * (1 - m) * cubic
    }
}
