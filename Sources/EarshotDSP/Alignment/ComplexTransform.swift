import Foundation

/// A complex Fourier transform of one block, of any power of two.
///
/// The transform of the signature's front end takes eight frames of 2,048 samples side by side; a correlation takes one
/// long block, so this is another one. Stockham's form: every pass reads one pair of buffers and writes the other, which
/// leaves the result in order without a reversal of bits, and from the fourth pass on eight neighbours are taken at once.
struct ComplexTransform: Sendable {
    private typealias Lanes = SIMD8<Float>

    /// Samples of one block, a power of two.
    let size: Int
    private let cosines: [Float]
    private let sines: [Float]
    private var otherReal: [Float]
    private var otherImaginary: [Float]

    /// - Parameter size: A power of two, at least 8.
    init(size: Int) {
        precondition(size >= 8 && size & (size - 1) == 0, "a transform takes a power of two")
        self.size = size
        cosines = (0..<size / 2).map { Float(cos(-2 * .pi * Double($0) / Double(size))) }
        sines = (0..<size / 2).map { Float(sin(-2 * .pi * Double($0) / Double(size))) }
        otherReal = [Float](repeating: 0, count: size)
        otherImaginary = [Float](repeating: 0, count: size)
    }

    /// Transforms in place: X[k] = Σ x[n] · exp(−2πi · k · n / size). With real and imaginary part exchanged in the call it
    /// is the inverse, but for the division by ``size``.
    mutating func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
        precondition(real.count == size && imaginary.count == size, "a block fills the transform")
        var (half, stride) = (size / 2, 1)
        while half >= 1 {
            pass(real, imaginary, half: half, stride: stride)
            swap(&real, &otherReal)
            swap(&imaginary, &otherImaginary)
            half /= 2
            stride *= 2
        }
    }

    /// One pass of radix 2, from the arguments to the buffers of the transform.
    private mutating func pass(_ real: [Float], _ imaginary: [Float], half: Int, stride: Int) {
        real.withUnsafeBytes { real in
            imaginary.withUnsafeBytes { imaginary in
                otherReal.withUnsafeMutableBytes { otherReal in
                    otherImaginary.withUnsafeMutableBytes { otherImaginary in
                        for place in 0..<half {
                            let (wr, wi) = (cosines[place * stride], sines[place * stride])
                            let (first, second) = (stride * place * 4, stride * (place + half) * 4)
                            let (low, high) = (stride * 2 * place * 4, stride * (2 * place + 1) * 4)
                            if stride >= 8 {
                                for offset in Swift.stride(from: 0, to: stride * 4, by: 32) {
                                    let ar = real.loadUnaligned(fromByteOffset: first + offset, as: Lanes.self)
                                    let ai = imaginary.loadUnaligned(fromByteOffset: first + offset, as: Lanes.self)
                                    let br = real.loadUnaligned(fromByteOffset: second + offset, as: Lanes.self)
                                    let bi = imaginary.loadUnaligned(fromByteOffset: second + offset, as: Lanes.self)
                                    otherReal.storeBytes(of: ar + br, toByteOffset: low + offset, as: Lanes.self)
                                    otherImaginary.storeBytes(of: ai + bi, toByteOffset: low + offset, as: Lanes.self)
                                    let (dr, di) = (ar - br, ai - bi)
                                    let (tr, ti) = (dr * wr - di * wi, dr * wi + di * wr)
                                    otherReal.storeBytes(of: tr, toByteOffset: high + offset, as: Lanes.self)
                                    otherImaginary.storeBytes(of: ti, toByteOffset: high + offset, as: Lanes.self)
                                }
                            } else {
                                for offset in Swift.stride(from: 0, to: stride * 4, by: 4) {
                                    let ar = real.load(fromByteOffset: first + offset, as: Float.self)
                                    let ai = imaginary.load(fromByteOffset: first + offset, as: Float.self)
                                    let br = real.load(fromByteOffset: second + offset, as: Float.self)
                                    let bi = imaginary.load(fromByteOffset: second + offset, as: Float.self)
                                    otherReal.storeBytes(of: ar + br, toByteOffset: low + offset, as: Float.self)
                                    otherImaginary.storeBytes(of: ai + bi, toByteOffset: low + offset, as: Float.self)
                                    let (dr, di) = (ar - br, ai - bi)
                                    let (tr, ti) = (dr * wr - di * wi, dr * wi + di * wr)
                                    otherReal.storeBytes(of: tr, toByteOffset: high + offset, as: Float.self)
                                    otherImaginary.storeBytes(of: ti, toByteOffset: high + offset, as: Float.self)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
