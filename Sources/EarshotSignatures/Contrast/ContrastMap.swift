import EarshotDSP
import Foundation

/// The contrast of each cell of a query's spectrogram with its surroundings, ranked among all cells of the query.
///
/// A catalog stores the positions of landmarks. A query in loud noise has lost most of its landmarks, but its
/// spectrogram is still slightly higher at their positions: the sum of the map at the landmarks of a reference is
/// evidence that the query comes from there. A map is made of the query only, and no catalog stores one.
///
/// A cell's contrast is its level minus the mean of 17 frames by 21 bins around it, plus half of its rise above the two
/// bins three bins away. Its value is −ln(1.01 − u), where u is the share of the recording's cells with less contrast:
/// in noise, the sum of such values best detects a rise of an exponential quantity (Savage 1956). The mean of each bin
/// is subtracted, so that a continuous tone does not count.
package struct ContrastMap: Hashable, Sendable {
    /// The distance between two rows, in landmark steps of 2 ms: half a frame. Every other row is the mean of its
    /// neighbors.
    package static let stepsPerRow = Landmark.stepsPerFrame / 2
    /// The time of row 0, in landmark steps of 2 ms: the middle of the first analysis window.
    package static let firstStep =
        FrequencyAxis.frameSize / 2 * Landmark.stepsPerSecond / SignatureConfiguration.sampleRate
    /// The factor by which contrast values are multiplied for storage in ``values``.
    package static let scale: Float = 24

    private static let bins = FrequencyAxis.binCount
    private static let frameReach = 8
    private static let binReach = 10
    private static let sideReach = 3

    /// The number of rows, two a frame less one.
    package let rowCount: Int
    /// The contrasts as rows of 240 values, one for each bin, multiplied by ``scale``.
    package let values: [Int8]

    /// Creates the map of a query from its spectrogram.
    package init(_ levels: QueryLevels) {
        let bins = Self.bins
        let frames = levels.rowCount
        guard frames > 0 else {
            rowCount = 0
            values = []
            return
        }
        let ranked = Self.ranked(Self.contrasts(levels.values, frames: frames))
        var means = [Float](repeating: 0, count: bins)
        for frame in 0..<frames { for bin in 0..<bins { means[bin] += ranked[frame * bins + bin] } }
        for bin in 0..<bins { means[bin] /= Float(frames) }
        let rows = 2 * frames - 1
        rowCount = rows
        values = [Int8](unsafeUninitializedCapacity: rows * bins) { values, count in
            for row in 0..<rows {
                let (first, second) = (row / 2 * bins, (row + 1) / 2 * bins)
                for bin in 0..<bins {
                    let value = (ranked[first + bin] + ranked[second + bin]) / 2 - means[bin]
                    values[row * bins + bin] = Int8(clamping: Int((value * Self.scale).rounded()))
                }
            }
            count = rows * bins
        }
    }

    /// Returns the time of a row, in seconds from the start of the query.
    package static func time(ofRow row: Int) -> Double {
        Double(firstStep + row * stepsPerRow) / Double(Landmark.stepsPerSecond)
    }

    /// Returns the row at a time in seconds; `nil` outside the query.
    package func row(atTime time: Double) -> Int? {
        let row = (time * Double(Landmark.stepsPerSecond) - Double(Self.firstStep)) / Double(Self.stepsPerRow) + 0.5
        return row >= 0 && row < Double(rowCount) ? Int(row) : nil
    }

    // MARK: - Contrast

    private static func contrasts(_ levels: [UInt8], frames: Int) -> [Float] {
        // Running sums over frames and bins, with a row and a column of zeros before them.
        let width = bins + 1
        var sums = [Double](repeating: 0, count: (frames + 1) * width)
        for frame in 0..<frames {
            var sum = 0.0
            for bin in 0..<bins {
                sum += Double(levels[frame * bins + bin])
                sums[(frame + 1) * width + bin + 1] = sums[frame * width + bin + 1] + sum
            }
        }
        return [Float](unsafeUninitializedCapacity: frames * bins) { contrasts, count in
            for frame in 0..<frames {
                let (top, bottom) = (max(0, frame - frameReach), min(frames, frame + frameReach + 1))
                for bin in 0..<bins {
                    let (left, right) = (max(0, bin - binReach), min(bins, bin + binReach + 1))
                    let sum =
                        sums[bottom * width + right] - sums[top * width + right] - sums[bottom * width + left]
                        + sums[top * width + left]
                    let mean = Float(sum / Double((bottom - top) * (right - left)))
                    let level = Float(levels[frame * bins + bin])
                    let sides =
                        Float(levels[frame * bins + max(0, bin - sideReach)])
                        + Float(levels[frame * bins + min(bins - 1, bin + sideReach)])
                    contrasts[frame * bins + bin] = level - mean + (level - sides / 2) / 2
                }
            }
            count = frames * bins
        }
    }

    /// −ln(1.01 − u) of each contrast. Ranks are taken in classes of 1/64 octave.
    private static func ranked(_ contrasts: [Float]) -> [Float] {
        let (classes, reach) = (4096, Float(32))
        func number(_ contrast: Float) -> Int {
            min(max(Int((contrast + reach) * (Float(classes) / (2 * reach))), 0), classes - 1)
        }
        var counts = [Int](repeating: 0, count: classes)
        for contrast in contrasts { counts[number(contrast)] += 1 }
        var below = 0
        let values = counts.map { count in
            let share = (Double(below) + Double(count) / 2) / Double(contrasts.count)
            below += count
            return Float(-log(1.01 - share))
        }
        return contrasts.map { values[number($0)] }
    }
}
