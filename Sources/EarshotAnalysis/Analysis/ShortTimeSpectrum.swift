import EarshotDSP
import Foundation

/// Squared magnitudes of the short-time Fourier transform of a stream, frame by frame, under a Hann window.
struct ShortTimeSpectrum: Sendable {
    /// Samples of a frame.
    let size: Int
    /// Samples from one frame to the next.
    let hop: Int
    /// The bins that are handed out.
    let bins: Range<Int>

    private static let lanes = 8
    private let window: [Float]
    private var transform: FourierTransform
    /// Samples from the start of the next frame on.
    private var pending: [Float] = []
    private var powers: [FourierTransform.Lanes]

    /// A transform of nothing yet.
    ///
    /// - Parameters:
    ///   - size: Samples of a frame: twice a power of four.
    ///   - hop: Samples from one frame to the next.
    ///   - bins: The bins wanted, between 1 and half the size.
    ///   - lead: Samples of silence before the stream.
    init(size: Int, hop: Int, bins: Range<Int>, lead: Int = 0) {
        self.size = size
        self.hop = hop
        self.bins = bins
        window = (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size))) }
        transform = FourierTransform(size: size)
        pending = [Float](repeating: 0, count: lead)
        powers = [FourierTransform.Lanes](repeating: .zero, count: bins.count)
    }

    /// Takes samples, and hands out each frame that they complete.
    mutating func append(_ samples: [Float], frame: (UnsafeBufferPointer<Float>) -> Void) {
        pending.append(contentsOf: samples)
        // Frames are transformed eight at a time: an incomplete batch waits.
        let needed = size + (Self.lanes - 1) * hop
        var start = 0
        while pending.count - start >= needed {
            transformFrames(at: start, count: Self.lanes, frame: frame)
            start += Self.lanes * hop
        }
        pending.removeFirst(start)
    }

    /// Hands out the frames that wait for their batch to fill. Nothing may be appended afterwards.
    mutating func finish(frame: (UnsafeBufferPointer<Float>) -> Void) {
        guard pending.count >= size else { return }
        let count = (pending.count - size) / hop + 1
        let needed = size + (Self.lanes - 1) * hop
        pending.append(contentsOf: repeatElement(0, count: max(0, needed - pending.count)))
        transformFrames(at: 0, count: count, frame: frame)
        pending.removeAll()
    }

    private mutating func transformFrames(at start: Int, count: Int, frame: (UnsafeBufferPointer<Float>) -> Void) {
        let hop = hop
        powers.withUnsafeMutableBufferPointer { powers in
            pending.withUnsafeBufferPointer { pending in
                window.withUnsafeBufferPointer { window in
                    transform.powers(bins: bins, into: powers) { index in
                        var lanes = FourierTransform.Lanes.zero
                        for lane in 0..<Self.lanes { lanes[lane] = pending[start + index + lane * hop] }
                        return lanes * window[index]
                    }
                }
            }
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: bins.count) { single in
            for lane in 0..<count {
                for bin in 0..<bins.count { single.initializeElement(at: bin, to: powers[bin][lane]) }
                frame(UnsafeBufferPointer(single))
            }
        }
    }
}
