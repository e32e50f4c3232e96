import EarshotDSP
import Foundation

/// Turns a stream of mono samples at the analysis rate into rows of levels on the frequency axis.
///
/// A row covers 2,048 samples under a Hann window; rows are 256 samples apart. Row *i* begins at sample *256 · i*, and
/// only windows that are wholly filled give a row. Rows are computed eight at a time; each depends on its own samples
/// alone.
struct Spectrogram: Sendable {
    typealias Lanes = FourierTransform.Lanes

    /// Samples between rows.
    static let hop = 256
    private static let lanes = 8
    private static let blocksPerFrame = FourierTransform.size / hop

    private let axis: FrequencyAxis
    private let window: [Float]
    private var transform = FourierTransform()
    /// Samples from the start of the next row on.
    private var pending: [Float] = []
    private var turned: [Float]
    private var powers: [Lanes]
    private var levels: [Lanes]

    init(sampleRate: Int) {
        axis = FrequencyAxis(sampleRate: sampleRate)
        window = (0..<FourierTransform.size).map {
            Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(FourierTransform.size)))
        }
        turned = [Float](repeating: 0, count: Self.hop * 2 * Self.lanes)
        powers = [Lanes](repeating: .zero, count: axis.sourceBins.count)
        levels = [Lanes](repeating: .zero, count: FrequencyAxis.binCount)
    }

    /// Takes samples and hands out each row of ``FrequencyAxis/binCount`` levels that eight finished frames give.
    mutating func append(_ samples: [Float], row: (UnsafeBufferPointer<Float>) -> Void) {
        pending.append(contentsOf: samples)
        let needed = FourierTransform.size + (Self.lanes - 1) * Self.hop
        var start = 0
        while pending.count - start >= needed {
            transformFrames(at: start, count: Self.lanes, row: row)
            start += Self.lanes * Self.hop
        }
        pending.removeFirst(start)
    }

    /// Hands out the rows of the frames that are complete but do not fill a batch of eight.
    mutating func finish(row: (UnsafeBufferPointer<Float>) -> Void) {
        guard pending.count >= FourierTransform.size else { return }
        let count = (pending.count - FourierTransform.size) / Self.hop + 1
        let needed = FourierTransform.size + (Self.lanes - 1) * Self.hop
        pending.append(contentsOf: repeatElement(0, count: max(0, needed - pending.count)))
        transformFrames(at: 0, count: count, row: row)
        pending.removeAll()
    }

    private mutating func transformFrames(at start: Int, count: Int, row: (UnsafeBufferPointer<Float>) -> Void) {
        turn(from: start)
        let bins = axis.sourceBins
        powers.withUnsafeMutableBufferPointer { powers in
            turned.withUnsafeBytes { turned in
                window.withUnsafeBufferPointer { window in
                    // Lane l holds the frame that begins l hops later, so its sample j of block q is in block q + l:
                    // eight neighbouring floats of the turned samples.
                    transform.powers(bins: bins, into: powers) { index in
                        let block = index / Self.hop
                        let offset = ((index % Self.hop) * 2 * Self.lanes + block) * MemoryLayout<Float>.size
                        return turned.loadUnaligned(fromByteOffset: offset, as: Lanes.self) * window[index]
                    }
                }
            }
            levels.withUnsafeMutableBufferPointer { axis.levels(of: powers, into: $0) }
        }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: FrequencyAxis.binCount) { single in
            for lane in 0..<count {
                for bin in 0..<FrequencyAxis.binCount { single.initializeElement(at: bin, to: levels[bin][lane]) }
                row(UnsafeBufferPointer(single))
            }
        }
    }

    /// Lays the samples out as columns of 256 rows, so that the same place of neighbouring blocks is side by side.
    private mutating func turn(from start: Int) {
        let blocks = Self.blocksPerFrame + Self.lanes - 1
        turned.withUnsafeMutableBufferPointer { turned in
            pending.withUnsafeBufferPointer { pending in
                for place in 0..<Self.hop {
                    for block in 0..<blocks {
                        turned[place * 2 * Self.lanes + block] = pending[start + block * Self.hop + place]
                    }
                }
            }
        }
    }
}
