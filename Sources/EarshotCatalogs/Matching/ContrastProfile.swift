import EarshotDSP
import EarshotSignatures
import Foundation

/// The fit of a recording's contrast map to a reference, along one line of recording time against reference time.
///
/// Landmarks of the reference are read in the map; landmarks of the recording are not compared. Other audio in the
/// recording, such as a speaker or a second song, adds landmarks of its own but removes few of these. Chance is
/// measured on lines next to this one, in time and in pitch, as in an ``AlignmentProfile``.
struct ContrastProfile {
    /// Rows of the map in a bin: 0.2 s.
    private static let binRows = 100 / ContrastMap.stepsPerRow
    /// The distance to either side over which chance is averaged, in bins: 3 s.
    private static let chanceReach = 15
    /// The bins over which the spread of chance is measured: 1 s, because neighboring landmarks belong to one note.
    private static let spreadBins = 5
    /// The fewest landmarks over which a mean of chance is taken.
    private static let leastInside = 40

    /// The recording's step at which the first bin begins.
    let firstStep: Int
    private let sums: [Double]
    private let counts: [Double]
    /// The chance level of a landmark's value, for each bin.
    private let means: [Double]
    /// The variance of a landmark's value by chance.
    private let variance: Double

    static let stepsPerBin = binRows * ContrastMap.stepsPerRow

    /// Reads the map along a line and next to it.
    ///
    /// - Returns: `nil` if too few landmarks lie on the lines next to it to measure chance.
    init?(_ part: ContrastStrip.Part, _ segment: Segment, _ reference: Int, _ alignment: Alignment) {
        firstStep = ContrastMap.firstStep + part.firstRow * ContrastMap.stepsPerRow
        let count = (part.rowCount + Self.binRows - 1) / Self.binRows
        let margin = 11 * Landmark.stepsPerSecond
        let begin = Int(alignment.position(at: Double(firstStep)))
        let end = Int(alignment.position(at: Double(firstStep + part.rowCount * ContrastMap.stepsPerRow)))
        let window = ReferenceWindow(segment, reference: reference, steps: begin - margin..<max(begin, end) + margin)
        (sums, counts) = Self.binned(part, window, alignment, count)
        var allSums = [Double](repeating: 0, count: count)
        var allCounts = allSums
        var lines: [(sums: [Double], counts: [Double])] = []
        for line in alignment.linesBeside {
            let binned = Self.binned(part, window, line, count)
            for bin in 0..<count {
                allSums[bin] += binned.sums[bin]
                allCounts[bin] += binned.counts[bin]
            }
            lines.append(binned)
        }
        guard allCounts.reduce(0, +) >= Double(Self.leastInside) else { return nil }
        let (sumsBefore, countsBefore) = (Self.running(allSums), Self.running(allCounts))
        let mean = allSums.reduce(0, +) / allCounts.reduce(0, +)
        let means = (0..<count).map { bin in
            let (low, high) = (max(0, bin - Self.chanceReach), min(count, bin + Self.chanceReach + 1))
            let near = countsBefore[high] - countsBefore[low]
            return near >= Double(Self.leastInside) ? (sumsBefore[high] - sumsBefore[low]) / near : mean
        }
        var (squares, chunks) = (0.0, 0.0)
        for line in lines {
            for start in stride(from: 0, to: count, by: Self.spreadBins) {
                var (excess, number) = (0.0, 0.0)
                for bin in start..<min(count, start + Self.spreadBins) {
                    excess += line.sums[bin] - means[bin] * line.counts[bin]
                    number += line.counts[bin]
                }
                guard number > 0 else { continue }
                squares += excess * excess / number
                chunks += 1
            }
        }
        self.means = means
        variance = max(1, squares / max(1, chunks))
    }

    private static func running(_ values: [Double]) -> [Double] {
        var (sum, sums) = (0.0, [0.0])
        for value in values {
            sum += value
            sums.append(sum)
        }
        return sums
    }

    /// Returns the sums of the map at landmarks of the reference, and the numbers of these landmarks, by bins of the
    /// recording.
    private static func binned(
        _ part: ContrastStrip.Part,
        _ window: ReferenceWindow,
        _ alignment: Alignment,
        _ count: Int
    ) -> (sums: [Double], counts: [Double]) {
        var sums = [Double](repeating: 0, count: count)
        var counts = sums
        part.values.withUnsafeBufferPointer { values in
            forEachCell(part, window, alignment, rowReach: 0, binReach: 0) { row, bin in
                sums[row / binRows] += Double(values[row * FrequencyAxis.binCount + bin])
                counts[row / binRows] += 1
            }
        }
        return (sums, counts)
    }

    /// Calls `body` with the row, counted from the part's first, and the bin of each landmark whose neighboring cells
    /// lie in the map too.
    @inline(__always)
    static func forEachCell(
        _ part: ContrastStrip.Part,
        _ window: ReferenceWindow,
        _ alignment: Alignment,
        rowReach: Int,
        binReach: Int,
        _ body: (Int, Int) -> Void
    ) {
        let rate = 1 / (alignment.speed * Double(ContrastMap.stepsPerRow))
        let first = Double(ContrastMap.firstStep + part.firstRow * ContrastMap.stepsPerRow)
        let shift = alignment.position(at: first)
        let (low, high) = (Double(rowReach), Double(part.rowCount - rowReach))
        for index in window.times.indices {
            let place = ((Double(window.times[index]) - shift) * rate + 0.5).rounded(.down)
            guard place >= low, place < high else { continue }
            let height = (Double(window.frequencies[index]) + alignment.pitch) / Double(Landmark.stepsPerBin)
            let bin = Int(height + 0.5)
            guard bin >= binReach, bin < FrequencyAxis.binCount - binReach else { continue }
            body(Int(place), bin)
        }
    }

    // MARK: - Evidence

    /// Returns the bins of an interval of the recording, in steps.
    private func bins(_ stretch: Range<Int>) -> Range<Int> {
        let low = min(max(0, (stretch.lowerBound - firstStep) / Self.stepsPerBin), sums.count)
        let high = min(max(low, (stretch.upperBound - firstStep) / Self.stepsPerBin), sums.count)
        return low..<high
    }

    /// Returns the mean of the landmarks' values above chance in an interval.
    func excess(_ stretch: Range<Int>) -> Double {
        let bins = bins(stretch)
        let count = bins.reduce(0) { $0 + counts[$1] }
        return count > 0 ? bins.reduce(0) { $0 + sums[$1] - means[$1] * counts[$1] } / count : 0
    }

    /// Returns the distance of an interval's sum from chance, in standard deviations.
    func deviations(_ stretch: Range<Int>) -> Double {
        let bins = bins(stretch)
        let count = bins.reduce(0) { $0 + counts[$1] }
        guard count > 0 else { return 0 }
        return bins.reduce(0) { $0 + sums[$1] - means[$1] * counts[$1] } / (variance * count).squareRoot()
    }

    /// Returns the log-likelihood ratio of each bin, in nats: the reference is heard against it is not.
    ///
    /// - Parameter excess: The mean of the play's values above chance. Half of that is required, so that weaker parts
    ///   of a play still belong to it.
    func gains(excess: Double) -> [Double] {
        let shift = max(0, excess) / 2
        return sums.indices.map { bin in
            shift * (sums[bin] - means[bin] * counts[bin]) / variance - counts[bin] * shift * shift / (2 * variance)
        }
    }

    /// Returns the intervals in which the reference is heard, in steps of the recording.
    func stretches(_ gains: [Double]) -> [Range<Int>] {
        LikelyRuns.runs(gains).map { bins in
            firstStep + bins.lowerBound * Self.stepsPerBin..<firstStep + bins.upperBound * Self.stepsPerBin
        }
    }

    /// Returns the sum of the gains over an interval.
    func total(_ gains: [Double], over stretch: Range<Int>) -> Double { bins(stretch).reduce(0) { $0 + gains[$1] } }
}
