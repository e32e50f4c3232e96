import Foundation

/// A complex Fourier transform of one block, of any power of two.
///
/// Every eighth sample is one of eight blocks of a ``FourierPlan``; their spectra are joined by a transform of eight points
/// for each frequency.
struct ComplexTransform: Sendable {
    private typealias Lanes = FourierPlan.Lanes

    /// Samples of one block, a power of two.
    let size: Int
    private let plan: FourierPlan
    /// The turn of each lane at each frequency of the plan.
    private let turnReal: [Lanes]
    private let turnImaginary: [Lanes]
    private var real: [Lanes]
    private var imaginary: [Lanes]

    /// - Parameter size: A power of two, at least 8.
    init(size: Int) {
        precondition(size >= 8 && size & (size - 1) == 0, "a transform takes a power of two")
        self.size = size
        plan = FourierPlan(size: size / 8)
        func turns(_ part: (Double) -> Double) -> [Lanes] {
            (0..<size / 8).map { frequency in
                var lanes = Lanes.zero
                for lane in 0..<8 { lanes[lane] = Float(part(-2 * .pi * Double(lane * frequency) / Double(size))) }
                return lanes
            }
        }
        turnReal = turns { cos($0) }
        turnImaginary = turns { sin($0) }
        real = [Lanes](repeating: .zero, count: size / 8)
        imaginary = [Lanes](repeating: .zero, count: size / 8)
    }

    /// Transforms in place: X[k] = Σ x[n] · exp(−2πi · k · n / size). With real and imaginary part exchanged in the call it
    /// is the inverse, but for the division by ``size``.
    mutating func transform(_ first: inout [Float], _ second: inout [Float]) {
        precondition(first.count == size && second.count == size, "a block fills the transform")
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                let (re, im) = (real.baseAddress!, imaginary.baseAddress!)
                first.withUnsafeBytes { UnsafeMutableRawBufferPointer(real).copyMemory(from: $0) }
                second.withUnsafeBytes { UnsafeMutableRawBufferPointer(imaginary).copyMemory(from: $0) }
                plan.transform(re, im)
                first.withUnsafeMutableBufferPointer { first in
                    second.withUnsafeMutableBufferPointer { second in
                        let frequencies = (order: plan.order, turnReal, turnImaginary)
                        Self.join(re, im, frequencies, first.baseAddress!, second.baseAddress!)
                    }
                }
            }
        }
    }

    private static func join(
        _ re: UnsafePointer<Lanes>,
        _ im: UnsafePointer<Lanes>,
        _ frequencies: (order: [Int32], turnReal: [Lanes], turnImaginary: [Lanes]),
        _ first: UnsafeMutablePointer<Float>,
        _ second: UnsafeMutablePointer<Float>
    ) {
        let count = frequencies.order.count
        frequencies.order.withUnsafeBufferPointer { order in
            for frequency in 0..<count {
                let place = Int(order[frequency])
                let (wr, wi) = (frequencies.turnReal[frequency], frequencies.turnImaginary[frequency])
                let x = re[place] * wr - im[place] * wi
                let y = re[place] * wi + im[place] * wr
                // Lanes l and l + 4, then evens and odds: radix 2, with half the lanes after each step.
                let (evenReal, evenImaginary) = (x.lowHalf + x.highHalf, y.lowHalf + y.highHalf)
                let (gapReal, gapImaginary) = (x.lowHalf - x.highHalf, y.lowHalf - y.highHalf)
                let oddReal = gapReal * eighthReal - gapImaginary * eighthImaginary
                let oddImaginary = gapReal * eighthImaginary + gapImaginary * eighthReal
                let (even, odd) = (four(evenReal, evenImaginary), four(oddReal, oddImaginary))
                for step in 0..<4 {
                    first[frequency + 2 * step * count] = even.real[step]
                    second[frequency + 2 * step * count] = even.imaginary[step]
                    first[frequency + (2 * step + 1) * count] = odd.real[step]
                    second[frequency + (2 * step + 1) * count] = odd.imaginary[step]
                }
            }
        }
    }

    /// exp(−2πi · l / 8) for four lanes.
    private static let eighthReal = SIMD4<Float>(1, Float(0.5.squareRoot()), 0, -Float(0.5.squareRoot()))
    private static let eighthImaginary = SIMD4<Float>(0, -Float(0.5.squareRoot()), -1, -Float(0.5.squareRoot()))

    /// The transform of four points, in order.
    @inline(__always)
    private static func four(
        _ re: SIMD4<Float>,
        _ im: SIMD4<Float>
    ) -> (real: SIMD4<Float>, imaginary: SIMD4<Float>) {
        let (sumReal, sumImaginary) = (re.lowHalf + re.highHalf, im.lowHalf + im.highHalf)
        let (gapReal, gapImaginary) = (re.lowHalf - re.highHalf, im.lowHalf - im.highHalf)
        return (
            SIMD4(
                sumReal.x + sumReal.y,
                gapReal.x + gapImaginary.y,
                sumReal.x - sumReal.y,
                gapReal.x - gapImaginary.y
            ),
            SIMD4(
                sumImaginary.x + sumImaginary.y,
                gapImaginary.x - gapReal.y,
                sumImaginary.x - sumImaginary.y,
                gapImaginary.x + gapReal.y
            )
        )
    }
}
