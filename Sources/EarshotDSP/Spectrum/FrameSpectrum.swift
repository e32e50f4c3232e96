import CKernels
import Foundation

/// Squared magnitudes of the Fourier transform of eight overlapping frames of a stream, under a Hann window.
///
/// The real samples of a frame are taken as half as many complex ones (even samples real, odd ones imaginary), transformed by a
/// ``FourierPlan``, and split. A frame's result does not depend on its neighbors.
package struct FrameSpectrum: Sendable {
    package typealias Lanes = FourierPlan.Lanes

    /// Frames of a batch.
    package static let lanes = 8

    /// Samples of a frame.
    let size: Int
    /// Samples from one frame to the next.
    let hop: Int
    private let bins: Range<Int>
    private let window: [Float]
    private let plan: FourierPlan
    /// Cosine and sine for each bin, to split the halves of the complex transform.
    private let split: [Float]
    private let kind: ProcessorKind
    /// The samples of a batch as rows of `hop`: the same place of neighboring blocks is side by side.
    private var turned: [Float]
    private let blocks: Int
    private var real: [Lanes]
    private var imaginary: [Lanes]

    /// Creates a transform.
    ///
    /// - Parameters:
    ///   - size: Samples of a frame: a power of two, at least 4.
    ///   - hop: Samples from one frame to the next.
    ///   - bins: The bins wanted, between 1 and half the size, which is left out.
    ///   - scale: The height of the window.
    ///   - kind: The processor whose kernels are used.
    package init(size: Int, hop: Int, bins: Range<Int>, scale: Double = 1, on kind: ProcessorKind = .best) {
        let half = size / 2
        precondition(bins.lowerBound >= 1 && bins.upperBound <= half, "bins lie between 1 and half the size")
        self.size = size
        self.hop = hop
        self.bins = bins
        self.kind = kind
        window = (0..<size).map { index in
            let angle: Double = 2 * .pi * (Double(index) + 0.5) / Double(size)
            return Float(scale * (0.5 - 0.5 * cos(angle)))
        }
        plan = FourierPlan(size: half)
        split = (0..<half).flatMap { FourierPlan.turn(by: $0, of: size) }
        blocks = ((size - 1) / hop + Self.lanes + 7) / 8 * 8
        turned = [Float](repeating: 0, count: hop * blocks)
        real = [Lanes](repeating: .zero, count: half)
        imaginary = [Lanes](repeating: .zero, count: half)
    }

    /// Samples of eight frames.
    package var batchSize: Int { size + (Self.lanes - 1) * hop }

    /// Transforms eight frames.
    ///
    /// - Parameters:
    ///   - samples: The first of the ``batchSize`` samples of the frames.
    ///   - powers: Receives the powers of the bins, the first bin first; lane l is the frame that begins l hops later.
    package mutating func transform(
        _ samples: UnsafePointer<Float>,
        into powers: UnsafeMutableBufferPointer<Lanes>
    ) {
        precondition(powers.count >= bins.count, "there is room for every bin")
        let (kind, bins) = (kind.number, bins)
        window.withUnsafeBufferPointer { window in
            split.withUnsafeBufferPointer { split in
                plan.order.withUnsafeBufferPointer { order in
                    var frames = earshot_frames(
                        size: Int32(size),
                        hop: Int32(hop),
                        batch_size: Int32(batchSize),
                        blocks: Int32(blocks),
                        window: window.baseAddress,
                        first_bin: Int32(bins.lowerBound),
                        end_bin: Int32(bins.upperBound),
                        split: split.baseAddress,
                        order: order.baseAddress
                    )
                    plan.withTables { plan in
                        Self.withFloats(&real) { real in
                            Self.withFloats(&imaginary) { imaginary in
                                UnsafeMutableRawBufferPointer(powers).withMemoryRebound(to: Float.self) { powers in
                                    earshot_frame_powers(
                                        kind,
                                        plan,
                                        &frames,
                                        samples,
                                        &turned,
                                        real,
                                        imaginary,
                                        powers.baseAddress
                                    )
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static func withFloats(_ lanes: inout [Lanes], _ body: (UnsafeMutablePointer<Float>?) -> Void) {
        lanes.withUnsafeMutableBytes { bytes in body(bytes.assumingMemoryBound(to: Float.self).baseAddress) }
    }
}
