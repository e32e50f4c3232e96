import CKernels
import Foundation

/// Complex Fourier transforms of eight blocks at once, of any power of two.
///
/// The eight blocks lie in the lanes of one vector, so every step is a plain vector operation and no shuffling is needed.
/// Decimation in frequency: one pass of radix 2 where the size is not a power of four, then passes of radix 4. Lanes never
/// meet, so the result of a block does not depend on its neighbors.
package struct FourierPlan: Sendable {
    package typealias Lanes = SIMD8<Float>

    /// Points of a block.
    let size: Int
    /// The place of each frequency in the result.
    let order: [Int32]
    /// Cosine and sine of three turns for each butterfly of radix 4, pass by pass.
    private let turns: [Float]
    /// Cosine and sine of the turns of the pass of radix 2; empty where there is none.
    private let halfTurns: [Float]

    /// - Parameter size: A power of two.
    init(size: Int) {
        precondition(size > 0 && size.nonzeroBitCount == 1, "a transform takes a power of two")
        self.size = size
        let hasHalfPass = !size.trailingZeroBitCount.isMultiple(of: 2)
        let quads = hasHalfPass ? size / 2 : size
        halfTurns = (0..<(hasHalfPass ? quads : 0)).flatMap { Self.turn(by: $0, of: size) }
        var turns: [Float] = []
        var length = quads
        while length > 4 {
            for index in 0..<length / 4 {
                for multiple in 1...3 { turns += Self.turn(by: multiple * index, of: length) }
            }
            length /= 4
        }
        self.turns = turns
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
    ///
    /// - Parameters:
    ///   - re: The real parts, ``size`` vectors.
    ///   - im: The imaginary parts.
    func transform(_ re: UnsafeMutablePointer<Lanes>, _ im: UnsafeMutablePointer<Lanes>, on kind: ProcessorKind = .best)
    {
        let (re, im) = (UnsafeMutableRawPointer(re), UnsafeMutableRawPointer(im))
        withTables { plan in
            earshot_fourier(
                kind.number,
                plan,
                re.assumingMemoryBound(to: Float.self),
                im.assumingMemoryBound(to: Float.self)
            )
        }
    }

    /// Gives the tables as the kernels take them.
    func withTables(_ body: (UnsafePointer<earshot_fourier_plan>) -> Void) {
        halfTurns.withUnsafeBufferPointer { halfTurns in
            turns.withUnsafeBufferPointer { turns in
                var plan = earshot_fourier_plan(
                    size: Int32(size),
                    half_turns: halfTurns.isEmpty ? nil : halfTurns.baseAddress,
                    turns: turns.baseAddress
                )
                body(&plan)
            }
        }
    }

    /// Cosine and sine of a part of a full turn, clockwise.
    static func turn(by step: Int, of steps: Int) -> [Float] {
        let angle = -2 * Double.pi * Double(step) / Double(steps)
        return [Float(cos(angle)), Float(sin(angle))]
    }
}
