import EarshotSignatures
import Foundation

/// The fit of a recording and a reference along one line of recording time against reference time, landmark by
/// landmark.
///
/// Chance is measured on lines next to this one, in time and in pitch. It is a curve over time, because dense passages
/// fit more by chance than sparse ones. A fit above chance is evidence that the reference is heard. The play begins and
/// ends where the evidence does. Bins stand at multiples of 0.2 s of the recording, so the result does not depend on
/// where the region begins.
struct AlignmentProfile {
    /// Steps of 2 ms in a bin.
    private static let binSteps = 100
    /// The distance to either side over which chance is averaged, in bins: 3 s.
    private static let chanceReach = 15

    /// The index of the first landmark of the region in the recording's landmarks.
    let first: Int
    /// For each landmark, `true` if it has a counterpart in the reference; and `true` if it falls inside the reference.
    let hits: [Bool]
    let inside: [Bool]
    private let times: [Int]
    private let firstBin: Int
    private let binCount: Int
    /// The share that fits by chance, for each bin.
    private let chances: [Double]

    /// Compares the landmarks of a region with a reference.
    ///
    /// - Parameters:
    ///   - landmarks: The landmarks of the whole recording.
    ///   - region: The part of the recording to compare, in steps.
    ///   - alignment: The line, with the recording's start as zero of the query's time.
    init(
        _ landmarks: [Landmark],
        region: Range<Int>,
        segment: Segment,
        reference: Int,
        alignment: Alignment
    ) {
        first = landmarks.partitioningIndex { Int($0.time) >= region.lowerBound }
        let end = landmarks.partitioningIndex { Int($0.time) >= region.upperBound }
        let part = Array(landmarks[first..<max(first, end)])
        let verifier = Verifier(part)
        times = part.map { Int($0.time) }
        firstBin = region.lowerBound / Self.binSteps
        binCount = max(1, region.upperBound / Self.binSteps + 1 - firstBin)
        let begin = Int(alignment.offset + alignment.speed * Double(region.lowerBound))
        let stop = Int(alignment.offset + alignment.speed * Double(region.upperBound))
        let margin = 11 * Landmark.stepsPerSecond
        let window = ReferenceWindow(segment, reference: reference, steps: begin - margin..<max(begin, stop) + margin)
        hits = verifier.matchedLandmarks(on: window, alignment)
        inside = Self.inside(times, window, alignment)
        chances = Self.chances(times, verifier, window, alignment, firstBin: firstBin, count: binCount)
    }

    private static func inside(_ times: [Int], _ window: ReferenceWindow, _ alignment: Alignment) -> [Bool] {
        times.map { time in
            let place = alignment.offset + alignment.speed * Double(time)
            return place >= Double(window.steps.lowerBound) && place <= Double(window.steps.upperBound)
        }
    }

    // MARK: - Chance

    private static func chances(
        _ times: [Int],
        _ verifier: Verifier,
        _ window: ReferenceWindow,
        _ alignment: Alignment,
        firstBin: Int,
        count: Int
    ) -> [Double] {
        let lines = alignment.linesBeside
        let bins = times.map { $0 / binSteps - firstBin }
        var shares = [[Double]](repeating: [], count: count)
        for line in lines {
            var (matched, all) = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
            verifier.forEachFit(on: window, line) { index, isMatched in
                all[bins[index]] += 1
                if isMatched { matched[bins[index]] += 1 }
            }
            let (hitSums, allSums) = (sums(matched), sums(all))
            for bin in 0..<count {
                let (low, high) = (max(0, bin - chanceReach), min(count, bin + chanceReach + 1))
                let near = allSums[high] - allSums[low]
                guard near >= Verifier.leastInside else { continue }
                shares[bin].append(Double(hitSums[high] - hitSums[low]) / Double(near))
            }
        }
        return shares.map { shares in
            guard !shares.isEmpty else { return 0.15 }
            // The mean without the outer eighths, so that a true repeat of the music does not count as chance.
            let sorted = shares.sorted()
            let middle = sorted[sorted.count / 8..<max(sorted.count / 8 + 1, sorted.count - sorted.count / 8)]
            return min(max(middle.reduce(0, +) / Double(middle.count), 0.02), 0.9)
        }
    }

    private static func sums(_ counts: [Int]) -> [Int] {
        var (sum, sums) = (0, [0])
        sums.reserveCapacity(counts.count + 1)
        for count in counts {
            sum += count
            sums.append(sum)
        }
        return sums
    }

    // MARK: - Evidence

    /// The counts of an interval.
    struct Tally {
        var inside = 0
        var matched = 0
        var expected = 0.0

        var share: Double { inside > 0 ? Double(matched) / Double(inside) : 0 }
        var chance: Double { inside > 0 ? min(max(expected / Double(inside), 0.02), 0.9) : 0.15 }
    }

    /// Counts the landmarks of an interval of the recording, in steps.
    func tally(_ stretch: Range<Int>) -> Tally {
        var tally = Tally()
        for index in times.indices where inside[index] && stretch.contains(times[index]) {
            tally.inside += 1
            if hits[index] { tally.matched += 1 }
            tally.expected += chances[times[index] / Self.binSteps - firstBin]
        }
        return tally
    }

    /// Returns the log-likelihood ratio of each landmark, in nats: the reference is heard against it is not.
    ///
    /// - Parameter excess: The share of the play above chance. Half of that is required, so that weaker parts of a
    ///   play, under speech or faded, still belong to it.
    func gains(excess: Double) -> [Double] {
        times.indices.map { index in
            guard inside[index] else { return 0 }
            let chance = chances[times[index] / Self.binSteps - firstBin]
            let share = min(chance + max(0.04, excess / 2), 0.97)
            return hits[index] ? log(share / chance) : log((1 - share) / (1 - chance))
        }
    }

    /// Returns the intervals in which the reference is heard, in steps, by the likeliest sequence of changes.
    func stretches(_ gains: [Double]) -> [Range<Int>] {
        var bins = [Double](repeating: 0, count: binCount)
        for index in times.indices { bins[times[index] / Self.binSteps - firstBin] += gains[index] }
        return LikelyRuns.runs(bins).map { sharpened($0, gains) }
    }

    /// Converts an interval of bins to steps, and moves its ends by up to 1 s to where the evidence of single landmarks
    /// begins and ends.
    private func sharpened(_ bins: Range<Int>, _ gains: [Double]) -> Range<Int> {
        let begin = (firstBin + bins.lowerBound) * Self.binSteps
        let end = (firstBin + bins.upperBound) * Self.binSteps
        let reach = min(Landmark.stepsPerSecond, (end - begin) / 2)
        var (sum, best, from) = (0.0, -Double.infinity, begin)
        for index in indices(begin - reach..<begin + reach).reversed() {
            sum += gains[index]
            if inside[index], sum > best { (best, from) = (sum, times[index]) }
        }
        (sum, best) = (0, -.infinity)
        var to = end
        for index in indices(end - reach..<end + reach) {
            sum += gains[index]
            if inside[index], sum > best { (best, to) = (sum, times[index] + 1) }
        }
        return from..<max(from + 1, to)
    }

    /// Returns the indices, in this profile, of the landmarks of an interval.
    func indices(_ stretch: Range<Int>) -> Range<Int> {
        let low = times.partitioningIndex { $0 >= stretch.lowerBound }
        return low..<max(low, times.partitioningIndex { $0 >= stretch.upperBound })
    }
}
