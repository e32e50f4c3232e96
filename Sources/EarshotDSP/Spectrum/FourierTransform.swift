import Foundation

/// A real Fourier transform of 2,048 samples, or another size, for eight frames at once.
///
/// 2,048 real samples are taken as 1,024 complex ones (even samples real, odd ones imaginary), transformed by a
/// ``FourierPlan``, and split. A frame's result does not depend on its neighbors.
package struct FourierTransform: Sendable {
    package typealias Lanes = SIMD8<Float>

    /// Samples of one frame of a signature.
    package static let size = 2048

    private let plan: FourierPlan
    private let splitReal: [Float]
    private let splitImaginary: [Float]
    private var real: [Lanes]
    private var imaginary: [Lanes]

    /// A transform of frames of a size.
    ///
    /// - Parameter size: Samples of one frame: a power of two, at least 4.
    package init(size: Int = FourierTransform.size) {
        let half = size / 2
        plan = FourierPlan(size: half)
        splitReal = (0..<half).map { Float(cos(-2 * .pi * Double($0) / Double(size))) }
        splitImaginary = (0..<half).map { Float(sin(-2 * .pi * Double($0) / Double(size))) }
        real = [Lanes](repeating: .zero, count: half)
        imaginary = [Lanes](repeating: .zero, count: half)
    }

    /// Transforms eight frames and gives the squared magnitudes of the bins asked for.
    ///
    /// - Parameters:
    ///   - load: Gives the windowed samples at an index for all eight frames; called once for each index.
    ///   - bins: Which bins are wanted, between 1 and half the size, which is left out.
    ///   - powers: Receives them, bin `bins.lowerBound` first.
    @inline(__always)
    mutating func powers(
        bins: Range<Int>,
        into powers: UnsafeMutableBufferPointer<Lanes>,
        load: (Int) -> Lanes
    ) {
        let half = plan.size
        precondition(bins.lowerBound >= 1 && bins.upperBound <= half && powers.count >= bins.count)
        real.withUnsafeMutableBufferPointer { realBuffer in
            imaginary.withUnsafeMutableBufferPointer { imaginaryBuffer in
                let re = realBuffer.baseAddress!
                let im = imaginaryBuffer.baseAddress!
                for index in 0..<half {
                    re[index] = load(2 * index)
                    im[index] = load(2 * index + 1)
                }
                plan.transform(re, im)
                plan.order.withUnsafeBufferPointer { order in
                    for bin in bins {
                        let here = Int(order[bin])
                        let there = Int(order[half - bin])
                        // Sum and difference of the bin and the conjugate of its mirror.
                        let evenReal = re[here] + re[there]
                        let evenImaginary = im[here] - im[there]
                        let oddReal = im[here] + im[there]
                        let oddImaginary = re[there] - re[here]
                        let wr = splitReal[bin]
                        let wi = splitImaginary[bin]
                        let x = evenReal + oddReal * wr - oddImaginary * wi
                        let y = evenImaginary + oddReal * wi + oddImaginary * wr
                        powers[bin - bins.lowerBound] = (x * x + y * y) * 0.25
                    }
                }
            }
        }
    }
}
