import Foundation

/// Squared magnitudes of the Fourier transform of eight overlapping frames of a stream, under a Hann window.
package struct FrameSpectrum: Sendable {
    package typealias Lanes = FourierTransform.Lanes

    /// Frames of a batch.
    package static let lanes = 8

    /// Samples of a frame.
    let size: Int
    /// Samples from one frame to the next.
    let hop: Int
    private let bins: Range<Int>
    private let window: [Float]
    private var transform: FourierTransform
    /// The samples of a batch as rows of `hop`: the same place of neighboring blocks is side by side.
    private var turned: [Float]
    private let blocks: Int
    /// The place in `turned` of each sample of the first frame, in bytes.
    private let offsets: [Int32]

    /// Creates a transform.
    ///
    /// - Parameters:
    ///   - size: Samples of a frame: a power of two.
    ///   - hop: Samples from one frame to the next.
    ///   - bins: The bins wanted, between 1 and half the size.
    ///   - scale: The height of the window.
    package init(size: Int, hop: Int, bins: Range<Int>, scale: Double = 1) {
        self.size = size
        self.hop = hop
        self.bins = bins
        window = (0..<size).map { index in
            let angle: Double = 2 * .pi * (Double(index) + 0.5) / Double(size)
            return Float(scale * (0.5 - 0.5 * cos(angle)))
        }
        transform = FourierTransform(size: size)
        let blocks = (size - 1) / hop + Self.lanes
        self.blocks = blocks
        turned = [Float](repeating: 0, count: hop * blocks)
        offsets = (0..<size).map { Int32(($0 % hop * blocks + $0 / hop) * MemoryLayout<Float>.size) }
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
        turn(samples)
        turned.withUnsafeBytes { turned in
            window.withUnsafeBufferPointer { window in
                offsets.withUnsafeBufferPointer { offsets in
                    // Lane l holds the frame that begins l hops later, so its sample j of block q is in block q + l:
                    // eight neighboring floats of the turned samples.
                    transform.powers(bins: bins, into: powers) { index in
                        turned.loadUnaligned(fromByteOffset: Int(offsets[index]), as: Lanes.self) * window[index]
                    }
                }
            }
        }
    }

    private mutating func turn(_ samples: UnsafePointer<Float>) {
        let (hop, blocks, end) = (hop, blocks, batchSize)
        turned.withUnsafeMutableBufferPointer { turned in
            for place in 0..<hop {
                // The last block is not whole where the hop does not divide the size.
                for block in 0..<(end - place + hop - 1) / hop {
                    turned[place * blocks + block] = samples[block * hop + place]
                }
            }
        }
    }
}
