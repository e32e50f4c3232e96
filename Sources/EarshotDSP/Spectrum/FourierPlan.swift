import Foundation

/// Complex Fourier transforms of eight blocks at once, of any power of two.
///
/// The eight blocks lie in the lanes of one vector, so every step is a plain vector operation and no shuffling is needed.
/// Decimation in frequency: one pass of radix 2 where the size is not a power of four, then passes of radix 4. Lanes never
/// meet, so the result of a block does not depend on its neighbors.
struct FourierPlan: Sendable {
    typealias Lanes = SIMD8<Float>

    private struct Twiddle {
        var real1, imaginary1, real2, imaginary2, real3, imaginary3: Float
    }

    /// Points of a block.
    let size: Int
    /// The place of each frequency in the result.
    let order: [Int32]
    private let twiddles: [Twiddle]
    /// The turns of the pass of radix 2; empty where there is none.
    private let halfTurns: [(real: Float, imaginary: Float)]

    /// - Parameter size: A power of two.
    init(size: Int) {
        precondition(size > 0 && size.nonzeroBitCount == 1, "a transform takes a power of two")
        self.size = size
        let hasHalfPass = !size.trailingZeroBitCount.isMultiple(of: 2)
        let quads = hasHalfPass ? size / 2 : size
        halfTurns = (0..<(hasHalfPass ? quads : 0)).map { index in
            let angle = -2 * Double.pi * Double(index) / Double(size)
            return (Float(cos(angle)), Float(sin(angle)))
        }
        var twiddles: [Twiddle] = []
        var length = quads
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
        order = (0..<size).map { frequency in
            var (rest, reversed) = (hasHalfPass ? frequency / 2 : frequency, 0)
            for _ in 0..<quads.trailingZeroBitCount / 2 {
                reversed = reversed << 2 | rest & 3
                rest >>= 2
            }
            // The pass of radix 2 leaves odd frequencies in the second half.
            return Int32(hasHalfPass && !frequency.isMultiple(of: 2) ? quads + reversed : reversed)
        }
    }

    /// Transforms in place: X[k] = Σ x[n] · exp(−2πi · k · n / size), at ``order``[k].
    func transform(_ re: UnsafeMutablePointer<Lanes>, _ im: UnsafeMutablePointer<Lanes>) {
        var length = size
        if !halfTurns.isEmpty {
            halfPass(re, im)
            length /= 2
        }
        twiddles.withUnsafeBufferPointer { twiddles in
            var table = twiddles.baseAddress
            while length > 4, let here = table {
                Self.pass(re, im, here, size: size, length: length)
                length /= 4
                table = here + length
            }
        }
        if length == 4 { Self.lastPass(re, im, size) }
    }

    private func halfPass(_ re: UnsafeMutablePointer<Lanes>, _ im: UnsafeMutablePointer<Lanes>) {
        let half = size / 2
        halfTurns.withUnsafeBufferPointer { turns in
            for index in 0..<half {
                let w = turns[index]
                let (gapReal, gapImaginary) = (re[index] - re[index + half], im[index] - im[index + half])
                re[index] += re[index + half]
                im[index] += im[index + half]
                re[index + half] = gapReal * w.real - gapImaginary * w.imaginary
                im[index + half] = gapReal * w.imaginary + gapImaginary * w.real
            }
        }
    }

    private static func pass(
        _ re: UnsafeMutablePointer<Lanes>,
        _ im: UnsafeMutablePointer<Lanes>,
        _ table: UnsafePointer<Twiddle>,
        size: Int,
        length: Int
    ) {
        let quarter = length / 4
        for base in stride(from: 0, to: size, by: length) {
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
    }

    /// The pass over neighboring fours needs no turning.
    private static func lastPass(_ re: UnsafeMutablePointer<Lanes>, _ im: UnsafeMutablePointer<Lanes>, _ size: Int) {
        for i0 in stride(from: 0, to: size, by: 4) {
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
