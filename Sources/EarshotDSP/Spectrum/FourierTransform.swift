import Foundation

/// A real Fourier transform of 2,048 samples, or another size, for eight frames at once.
///
/// The eight frames lie in the lanes of one vector, so every step is a plain vector operation and no shuffling is
/// needed. 2,048 real samples are taken as 1,024 complex ones (even samples real, odd ones imaginary), transformed by
/// five decimation-in-frequency passes of radix 4, and split. Lanes never meet, so a frame's result does not depend on
/// its neighbours.
package struct FourierTransform: Sendable {
    package typealias Lanes = SIMD8<Float>

    /// Samples of one frame of a signature.
    package static let size = 2048
    private let half: Int

    private struct Twiddle {
        var real1, imaginary1, real2, imaginary2, real3, imaginary3: Float
    }

    private let twiddles: [Twiddle]
    private let order: [Int32]
    private let splitReal: [Float]
    private let splitImaginary: [Float]
    private var real: [Lanes]
    private var imaginary: [Lanes]

    /// A transform of frames of a size.
    ///
    /// - Parameter size: Samples of one frame: twice a power of four, at least 32.
    package init(size: Int = FourierTransform.size) {
        let half = size / 2
        precondition(half >= 16 && half.nonzeroBitCount == 1 && half.trailingZeroBitCount.isMultiple(of: 2))
        self.half = half
        var twiddles: [Twiddle] = []
        var length = half
        while length > 4 {
            for index in 0..<length / 4 {
                let angle = -2 * Double.pi * Double(index) / Double(length)
                twiddles.append(
                    Twiddle(
                        real1: Float(cos(angle)),
                        imaginary1: Float(sin(angle)),
                        real2: Float(cos(2 * angle)),
                        imaginary2: Float(sin(2 * angle)),
                        real3: Float(cos(3 * angle)),
                        imaginary3: Float(sin(3 * angle))
                    )
                )
            }
            length /= 4
        }
        self.twiddles = twiddles
        order = (0..<half).map { index in
            var (rest, reversed) = (index, 0)
            for _ in 0..<half.trailingZeroBitCount / 2 {
                reversed = reversed << 2 | rest & 3
                rest >>= 2
            }
            return Int32(reversed)
        }
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
    package mutating func powers(
        bins: Range<Int>,
        into powers: UnsafeMutableBufferPointer<Lanes>,
        load: (Int) -> Lanes
    ) {
        let half = half
        precondition(bins.lowerBound >= 1 && bins.upperBound <= half && powers.count >= bins.count)
        real.withUnsafeMutableBufferPointer { realBuffer in
            imaginary.withUnsafeMutableBufferPointer { imaginaryBuffer in
                let re = realBuffer.baseAddress!
                let im = imaginaryBuffer.baseAddress!
                for index in 0..<half {
                    re[index] = load(2 * index)
                    im[index] = load(2 * index + 1)
                }
                twiddles.withUnsafeBufferPointer { Self.passes(re, im, $0.baseAddress!, half) }
                Self.lastPass(re, im, half)
                order.withUnsafeBufferPointer { order in
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

    private static func passes(
        _ re: UnsafeMutablePointer<Lanes>,
        _ im: UnsafeMutablePointer<Lanes>,
        _ twiddles: UnsafePointer<Twiddle>,
        _ half: Int
    ) {
        var table = twiddles
        var length = half
        while length > 4 {
            let quarter = length / 4
            for base in stride(from: 0, to: half, by: length) {
                for index in 0..<quarter {
                    let (i0, i1) = (base + index, base + index + quarter)
                    let (i2, i3) = (i1 + quarter, i1 + 2 * quarter)
                    let w = table[index]
                    let (sumReal, sumImaginary) = (re[i0] + re[i2], im[i0] + im[i2])
                    let (gapReal, gapImaginary) = (re[i0] - re[i2], im[i0] - im[i2])
                    let (crossReal, crossImaginary) = (re[i1] + re[i3], im[i1] + im[i3])
                    // (b − d) turned by −90 degrees.
                    let (turnReal, turnImaginary) = (im[i1] - im[i3], re[i3] - re[i1])
                    re[i0] = sumReal + crossReal
                    im[i0] = sumImaginary + crossImaginary
                    let (r1, m1) = (gapReal + turnReal, gapImaginary + turnImaginary)
                    re[i1] = r1 * w.real1 - m1 * w.imaginary1
                    im[i1] = r1 * w.imaginary1 + m1 * w.real1
                    let (r2, m2) = (sumReal - crossReal, sumImaginary - crossImaginary)
                    re[i2] = r2 * w.real2 - m2 * w.imaginary2
                    im[i2] = r2 * w.imaginary2 + m2 * w.real2
                    let (r3, m3) = (gapReal - turnReal, gapImaginary - turnImaginary)
                    re[i3] = r3 * w.real3 - m3 * w.imaginary3
                    im[i3] = r3 * w.imaginary3 + m3 * w.real3
                }
            }
            table += quarter
            length = quarter
        }
    }

    /// The pass over neighbouring fours needs no turning.
    private static func lastPass(_ re: UnsafeMutablePointer<Lanes>, _ im: UnsafeMutablePointer<Lanes>, _ half: Int) {
        for i0 in stride(from: 0, to: half, by: 4) {
            let (sumReal, sumImaginary) = (re[i0] + re[i0 + 2], im[i0] + im[i0 + 2])
            let (gapReal, gapImaginary) = (re[i0] - re[i0 + 2], im[i0] - im[i0 + 2])
            let (crossReal, crossImaginary) = (re[i0 + 1] + re[i0 + 3], im[i0 + 1] + im[i0 + 3])
            let (turnReal, turnImaginary) = (im[i0 + 1] - im[i0 + 3], re[i0 + 3] - re[i0 + 1])
            re[i0] = sumReal + crossReal
            im[i0] = sumImaginary + crossImaginary
            re[i0 + 1] = gapReal + turnReal
            im[i0 + 1] = gapImaginary + turnImaginary
            re[i0 + 2] = sumReal - crossReal
            im[i0 + 2] = sumImaginary - crossImaginary
            re[i0 + 3] = gapReal - turnReal
            im[i0 + 3] = gapImaginary - turnImaginary
        }
    }
}
