import EarshotSignatures

/// Two neighbouring landmarks as an index key: where the first stands, how far the second is from it in frequency and in
/// time.
///
/// A key has 19 bits: 6 for the cell of the first frequency (4 bins wide), 7 for the difference of frequency (1 bin), 6
/// for the difference of time (1 frame). Differences survive a change of pitch, and a small change of speed moves them by
/// less than a cell.
enum PairKey {
    /// The number of this way of making keys, stored with every index.
    static let scheme: UInt32 = 1

    static let bits = 19
    /// Steps of 1/8 bin in a cell of the first frequency: 4 bins.
    static let frequencyCell = 4 * Landmark.stepsPerBin
    static let frequencyCells = 60
    /// Largest difference of frequency, in bins.
    static let widest = 63
    /// Least and largest difference of time, in frames.
    static let nearest = 2
    static let farthest = 63

    /// The key of three quantised values, or nothing when one is out of range.
    @inline(__always)
    static func key(frequency: Int, rise: Int, delay: Int) -> UInt32? {
        guard frequency >= 0, frequency < frequencyCells, abs(rise) <= widest, delay >= nearest, delay <= farthest
        else { return nil }
        return UInt32(truncatingIfNeeded: frequency << 13 | (rise + 64) << 6 | delay)
    }

    /// Calls `body` for each anchor with its nearest later landmarks, at most `fanOut` of them.
    ///
    /// - Parameters:
    ///   - landmarks: Sorted by time.
    ///   - slack: How much further in time to look, relatively, for queries that will be stretched.
    @inline(__always)
    static func forEachPair(
        in landmarks: [Landmark],
        fanOut: Int,
        slack: Double = 0,
        _ body: (Landmark, Landmark) -> Void
    ) {
        let steps = Landmark.stepsPerFrame
        let least = Int(Double(nearest * steps - steps / 2) * (1 - slack))
        let most = Int(Double(farthest * steps + steps / 2) * (1 + slack))
        let widestSteps = widest * Landmark.stepsPerBin + Landmark.stepsPerBin / 2
        landmarks.withUnsafeBufferPointer { landmarks in
            for first in landmarks.indices {
                let anchor = landmarks[first]
                var found = 0
                var second = first + 1
                while second < landmarks.count, found < fanOut {
                    let target = landmarks[second]
                    second += 1
                    let delay = Int(target.time) - Int(anchor.time)
                    if delay < least { continue }
                    if delay > most { break }
                    guard abs(Int(target.frequency) - Int(anchor.frequency)) < widestSteps else { continue }
                    found += 1
                    body(anchor, target)
                }
            }
        }
    }

    /// The nearest multiple of `steps`, and on which side of it the value lies (−1 or 1).
    @inline(__always)
    static func quantise(_ value: Int, steps: Int) -> (cell: Int, side: Int) {
        let shifted = value + steps / 2
        let cell = shifted >= 0 ? shifted / steps : -((-shifted + steps - 1) / steps)
        return (cell, value - cell * steps >= 0 ? 1 : -1)
    }
}
