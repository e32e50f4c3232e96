import EarshotSignatures
import Foundation

/// Compares two intervals of audio on one alignment, and finds where they are the same.
///
/// A landmark is a hit if the other interval has one at the same place. Chance is the share of hits next to the
/// alignment. The likeliest sequence of same and different, landmark by landmark, gives the intervals.
struct RepeatComparison {
    /// An interval in which both are the same, in steps of the first.
    struct Stretch: Hashable {
        var range: Range<Int64>
        var hits: Int
        var count: Int
        var chance: Double
        /// The evidence, in nats.
        var evidence: Double

        var share: Double { Double(hits) / Double(max(1, count)) }
    }

    /// A landmark at a step of a timeline.
    struct Point: Hashable {
        var time: Int64
        var frequency: Int

        init(_ landmark: Landmark, from begin: Int64) {
            time = begin + Int64(landmark.time)
            frequency = Int(landmark.frequency)
        }
    }

    /// The tiers of landmarks that are compared: the strongest 48 a second, which catalogs keep.
    static let tiers: UInt8 = 6
    /// The largest distance of a hit: 12 ms, in steps, and one bin, in steps of frequency.
    private static let timeTolerance: Int64 = 6
    private static let frequencyTolerance = 8
    /// The evidence that a change between same and different must gain, in nats.
    private static let changeCost = 12.0
    /// The share above chance that is expected: half of that of a clean repetition.
    private static let excess = 0.3
    /// The gap without landmarks that ends a repeat, in steps: 2 s.
    private static let longestPause = 2 * LiveTime.stepsPerSecond

    let first: [Point]
    let second: [Point]

    /// Finds the intervals in which both are the same.
    ///
    /// - Parameter delta: The time of the second less the time of the first, in steps.
    /// - Returns: The intervals in order, and the corrected distance, in steps.
    func stretches(delta: Int64) -> (stretches: [Stretch], delta: Int64) {
        guard !first.isEmpty, !second.isEmpty else { return ([], delta) }
        let delta = delta + residual(delta)
        let hits = hits(delta)
        var chance = 0.0
        let shifts: [Int64] = [-1_713, -997, -613, 587, 1_051, 1_789]
        for shift in shifts { chance += Double(self.hits(delta + shift).lazy.filter { $0 }.count) }
        chance = min(max(chance / Double(shifts.count * first.count), 0.03), 0.5)
        return (likeliest(hits, chance), delta)
    }

    /// Returns `true` for each landmark of the first that the second has at the same place.
    private func hits(_ delta: Int64) -> [Bool] {
        var low = 0
        return first.map { point in
            let place = point.time + delta
            while low < second.count, second[low].time < place - Self.timeTolerance { low += 1 }
            var index = low
            while index < second.count, second[index].time <= place + Self.timeTolerance {
                if abs(second[index].frequency - point.frequency) <= Self.frequencyTolerance { return true }
                index += 1
            }
            return false
        }
    }

    /// Returns the correction of a distance, in steps: the most frequent deviation of landmarks within 40 ms.
    private func residual(_ delta: Int64) -> Int64 {
        var counts: [Int64: Int] = [:]
        var low = 0
        for point in first {
            let place = point.time + delta
            while low < second.count, second[low].time < place - 20 { low += 1 }
            var index = low
            while index < second.count, second[index].time <= place + 20 {
                if abs(second[index].frequency - point.frequency) <= Self.frequencyTolerance / 2 {
                    counts[second[index].time - place, default: 0] += 1
                }
                index += 1
            }
        }
        func near(_ step: Int64) -> Int { (-2...2).reduce(0) { $0 + (counts[step + $1] ?? 0) } }
        return (-20...20).max { (near($0), -abs($0)) < (near($1), -abs($1)) } ?? 0
    }

    private func likeliest(_ hits: [Bool], _ chance: Double) -> [Stretch] {
        let share = min(0.95, chance + Self.excess)
        let (hit, miss) = (log(share / chance), log((1 - share) / (1 - chance)))
        var (same, other) = (-Self.changeCost, 0.0)
        var (sameBefore, otherBefore): ([Bool], [Bool]) = ([], [])
        for (index, isHit) in hits.enumerated() {
            if index > 0, first[index].time - first[index - 1].time > Self.longestPause {
                other = max(other, same - Self.changeCost / 2)
                same = other - Self.changeCost / 2
            }
            let gain = isHit ? hit : miss
            sameBefore.append(other - Self.changeCost < same)
            otherBefore.append(same - Self.changeCost > other)
            (same, other) = (max(same, other - Self.changeCost) + gain, max(other, same - Self.changeCost))
        }
        var isSame = same - Self.changeCost / 2 > other
        var stretches: [Stretch] = []
        var end = hits.count
        for index in stride(from: hits.count - 1, through: 0, by: -1) {
            let before = isSame ? sameBefore[index] : otherBefore[index]
            if isSame, !before || index == 0 {
                stretches.append(stretch(index..<end, hits, chance, hit, miss))
            }
            if !isSame, before { end = index }
            isSame = before
        }
        return stretches.reversed()
    }

    private func stretch(
        _ indices: Range<Int>,
        _ hits: [Bool],
        _ chance: Double,
        _ hit: Double,
        _ miss: Double
    ) -> Stretch {
        let count = hits[indices].lazy.filter { $0 }.count
        return Stretch(
            range: first[indices.lowerBound].time..<first[indices.upperBound - 1].time + 1,
            hits: count,
            count: indices.count,
            chance: chance,
            evidence: Double(count) * hit + Double(indices.count - count) * miss
        )
    }

    /// Returns `true` if audio is distinct enough to be recognized as a repetition: its landmarks have many
    /// frequencies, and it does not repeat itself as tones, test signals and steady beds do.
    ///
    /// - Parameter share: The share of its landmarks that match elsewhere.
    static func isDistinct(_ points: [Point], share: Double) -> Bool {
        guard let start = points.first?.time, let end = points.last?.time, end > start else { return false }
        let seconds = Double(end - start) / Double(LiveTime.stepsPerSecond)
        guard Double(points.count) >= 8 * seconds, Set(points.map { $0.frequency / 24 }).count >= 16 else {
            return false
        }
        // The number of landmark pairs of one frequency by their distance, from 0.25 s. A peak shows self-repetition.
        let (least, most) = (Int64(125), min(12 * LiveTime.stepsPerSecond, (end - start) / 2))
        guard least < most else { return true }
        var counts = [Int](repeating: 0, count: Int(most) / 4 + 2)
        for (index, point) in points.enumerated() {
            var other = index + 1
            while other < points.count, points[other].time - point.time < most {
                let distance = points[other].time - point.time
                if distance >= least, abs(points[other].frequency - point.frequency) <= 4 {
                    counts[Int(distance) / 4] += 1
                }
                other += 1
            }
        }
        let peak = zip(counts, counts.dropFirst()).map { $0 + $1 }.max() ?? 0
        return Double(peak) / Double(points.count) <= max(0.45, 0.6 * share)
    }
}
