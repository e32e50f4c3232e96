/// Squared magnitudes of the short-time Fourier transform of a stream, frame by frame, under a Hann window.
///
/// Only frames that are wholly filled are transformed. They are transformed eight at a time; each depends on its own
/// samples alone.
package struct ShortTimeSpectrum: Sendable {
    package typealias Lanes = FourierPlan.Lanes

    private var frames: FrameSpectrum
    /// Samples from the start of the next frame on.
    private var pending: [Float]
    private var powers: [Lanes]

    /// Creates a spectrum of an empty stream.
    ///
    /// - Parameters:
    ///   - size: Samples of a frame: a power of two.
    ///   - hop: Samples from one frame to the next.
    ///   - bins: The bins wanted, between 1 and half the size.
    ///   - lead: Samples of silence before the stream.
    package init(size: Int, hop: Int, bins: Range<Int>, lead: Int = 0) {
        frames = FrameSpectrum(size: size, hop: hop, bins: bins)
        pending = [Float](repeating: 0, count: lead)
        powers = [Lanes](repeating: .zero, count: bins.count)
    }

    /// Takes samples, and hands out the powers of each eight frames that they complete.
    ///
    /// - Parameter batch: Receives the powers, the first bin first, and the number of frames, which are the first lanes.
    package mutating func append(_ samples: [Float], batch: (UnsafeMutableBufferPointer<Lanes>, Int) -> Void) {
        pending.append(contentsOf: samples)
        var start = 0
        while pending.count - start >= frames.batchSize {
            transformFrames(at: start, count: FrameSpectrum.lanes, batch)
            start += FrameSpectrum.lanes * frames.hop
        }
        pending.removeFirst(start)
    }

    /// Hands out the frames that are complete but do not fill a batch of eight. Nothing may be appended afterwards.
    package mutating func finish(batch: (UnsafeMutableBufferPointer<Lanes>, Int) -> Void) {
        guard pending.count >= frames.size else { return }
        let count = (pending.count - frames.size) / frames.hop + 1
        pending.append(contentsOf: repeatElement(0, count: max(0, frames.batchSize - pending.count)))
        transformFrames(at: 0, count: count, batch)
        pending.removeAll()
    }

    /// Takes samples, and hands out each frame that they complete.
    package mutating func append(_ samples: [Float], frame: (UnsafeBufferPointer<Float>) -> Void) {
        append(samples) { powers, count in Self.split(UnsafeBufferPointer(powers), count: count, frame) }
    }

    /// Hands out the frames that wait for their batch to fill. Nothing may be appended afterwards.
    package mutating func finish(frame: (UnsafeBufferPointer<Float>) -> Void) {
        finish { powers, count in Self.split(UnsafeBufferPointer(powers), count: count, frame) }
    }

    /// Hands out the first lanes one by one.
    package static func split(
        _ values: UnsafeBufferPointer<Lanes>,
        count: Int,
        _ frame: (UnsafeBufferPointer<Float>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: values.count) { single in
            for lane in 0..<count {
                for index in 0..<values.count { single.initializeElement(at: index, to: values[index][lane]) }
                frame(UnsafeBufferPointer(single))
            }
        }
    }

    private mutating func transformFrames(
        at start: Int,
        count: Int,
        _ batch: (UnsafeMutableBufferPointer<Lanes>, Int) -> Void
    ) {
        pending.withUnsafeBufferPointer { pending in
            powers.withUnsafeMutableBufferPointer { powers in
                frames.transform(pending.baseAddress! + start, into: powers)
                batch(powers, count)
            }
        }
    }
}
