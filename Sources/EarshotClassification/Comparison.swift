import Foundation

/// The difference between the sound before an instant and that after it.
enum Comparison {
    /// The number of figures.
    static let count = 11

    /// Means and variances of the bands over blocks with sound.
    private struct SpectralStatistics {
        var means = [Float](repeating: 0, count: SpectralFrames.bandCount)
        var variances = [Float](repeating: 0, count: SpectralFrames.bandCount)
        var level: Float = 0
        var rows: Float = 0

        init(_ blocks: ArraySlice<Block>) {
            for block in blocks where block.isAudible {
                rows += Float(SpectralFrames.stepRows)
                for band in means.indices {
                    means[band] += block.sums[band]
                    variances[band] += block.squares[band]
                }
            }
            guard rows > 0 else { return }
            for band in means.indices {
                means[band] /= rows
                variances[band] = max(0, variances[band] / rows - means[band] * means[band])
                level += means[band] / Float(means.count)
            }
        }
    }

    /// A quick measure, whose peaks are looked at more closely.
    static func distance(_ before: ArraySlice<Block>, _ after: ArraySlice<Block>) -> Float {
        let (one, two) = (SpectralStatistics(before), SpectralStatistics(after))
        guard one.rows >= 40, two.rows >= 40 else { return 0 }
        return means(one, two, level: true) + 0.5
            * means(SpectralStatistics(before.suffix(2)), SpectralStatistics(after.prefix(2)), level: true)
    }

    private static func means(_ one: SpectralStatistics, _ two: SpectralStatistics, level: Bool) -> Float {
        guard one.rows > 0, two.rows > 0 else { return 0 }
        var sum: Float = 0
        let lift = level ? 0 : one.level - two.level
        for band in one.means.indices {
            let spread = (0.5 * (one.variances[band] + two.variances[band]) + 0.3).squareRoot()
            sum += abs(one.means[band] - two.means[band] - lift) / spread
        }
        return sum / Float(one.means.count)
    }

    /// All figures.
    static func figures(
        _ before: ArraySlice<Block>,
        _ after: ArraySlice<Block>,
        _ block: Int,
        _ frames: SpectralFrames,
        _ classifier: AudioClassifier
    ) -> [Float] {
        let (one, two) = (SpectralStatistics(before), SpectralStatistics(after))
        let (near, next) = (SpectralStatistics(before.suffix(2)), SpectralStatistics(after.prefix(2)))
        var values = [means(one, two, level: true), means(one, two, level: false), likelihood(one, two)]
        values.append(min(10, abs(one.level - two.level)))
        let jump = means(near, next, level: true)
        values += [jump, jump / (0.1 + usualJump(before) + usualJump(after))]
        let lowest = (Array(before.suffix(3)) + Array(after.prefix(3))).map(\.level).min() ?? 0
        values.append(min(10, max(-3, min(one.level, two.level) - lowest)))
        let row = block * SpectralFrames.stepRows
        let earlier = max(frames.firstRow, row - TransitionDetector.before * SpectralFrames.stepRows)..<row
        let later = row..<row + TransitionDetector.after * SpectralFrames.stepRows
        let (first, second) = (AudioFeatures(frames, rows: earlier), AudioFeatures(frames, rows: later))
        let (p, q) = (classifier.probabilities(first), classifier.probabilities(second))
        values.append(Float(zip(p, q).reduce(0) { $0 + abs($1.0 - $1.1) } / 2))
        let (fine, other) = (tones(frames, earlier), tones(frames, later))
        values.append(1 - cosine(fine.chroma, other.chroma))
        values.append(abs(fine.harmonicity - other.harmonicity))
        values.append(abs(fine.peaks - other.peaks) / 10)
        return values
    }

    /// Returns how much likelier two normal distributions are than one, as a mean logarithm over the bands.
    private static func likelihood(_ one: SpectralStatistics, _ two: SpectralStatistics) -> Float {
        let rows = one.rows + two.rows
        guard rows > 0 else { return 0 }
        let (a, b) = (one.rows / rows, two.rows / rows)
        var sum: Float = 0
        for band in one.means.indices {
            let gap = one.means[band] - two.means[band]
            let joint = a * one.variances[band] + b * two.variances[band] + a * b * gap * gap
            sum += Float(
                log(Double(joint) + 0.1) - Double(a) * log(Double(one.variances[band]) + 0.1)
                    - Double(b) * log(Double(two.variances[band]) + 0.1)
            )
        }
        return sum / Float(one.means.count)
    }

    /// The mean change of the sound from one block to the next.
    private static func usualJump(_ blocks: ArraySlice<Block>) -> Float {
        var sum: Float = 0
        var count: Float = 0.001
        for (one, two) in zip(blocks, blocks.dropFirst()) where one.isAudible && two.isAudible {
            sum += means(SpectralStatistics([one]), SpectralStatistics([two]), level: true)
            count += 1
        }
        return sum / count
    }

    private static func tones(
        _ frames: SpectralFrames,
        _ rows: Range<Int>
    ) -> (chroma: SIMD16<Float>, harmonicity: Float, peaks: Float) {
        var chroma = SIMD16<Float>.zero
        var (harmonicity, peaks, count): (Float, Float, Float) = (0, 0, 0.001)
        let first = max(frames.firstFine, rows.lowerBound / 2)
        for index in first..<max(first, min(frames.fineCount, rows.upperBound / 2 - 3)) {
            let row = frames.fine[index - frames.firstFine]
            chroma += row.chroma
            harmonicity += row.harmonicity
            peaks += Float(row.peakCount)
            count += 1
        }
        return (chroma, harmonicity / count, peaks / count)
    }

    private static func cosine(_ one: SIMD16<Float>, _ two: SIMD16<Float>) -> Float {
        let lengths = ((one * one).sum() * (two * two).sum()).squareRoot()
        return lengths > 0 ? (one * two).sum() / lengths : 0
    }
}
