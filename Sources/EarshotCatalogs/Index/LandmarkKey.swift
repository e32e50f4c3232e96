import EarshotDSP
import EarshotSignatures

/// Three neighbouring landmarks as an index key: where the first stands, and how far the second and the third are from it
/// in frequency and in time.
///
/// A key has 30 bits. The upper 19 are those of the pair of the first two: 6 for the cell of the first frequency (4 bins
/// wide), 7 for the difference of frequency (1 bin), 6 for the difference of time (1 frame). The lower 11 place the third:
/// 6 for its difference of frequency (4 bins), 5 for its difference of time (4 frames). One sorted index so serves both: a
/// whole key finds few postings, a pair finds all that begin with it. Differences survive a change of pitch, and a small
/// change of speed moves them by less than a cell.
enum LandmarkKey {
    /// The number of this way of making keys and laying out postings, stored with every index.
    static let scheme: UInt32 = 3

    static let bits = 30
    /// Bits that place the third landmark.
    static let thirdBits = 11
    static let pairBits = bits - thirdBits
    /// Steps of 1/8 bin in a cell of the first frequency: 4 bins.
    static let frequencyCell = 4 * Landmark.stepsPerBin
    static let frequencyCells = FrequencyAxis.binCount / 4
    /// Steps in a cell of the third landmark's differences: 4 bins, 4 frames.
    static let thirdRiseCell = 4 * Landmark.stepsPerBin
    static let thirdDelayCell = 4 * Landmark.stepsPerFrame
    /// Largest difference of frequency, in bins.
    static let widest = 63
    /// Least and largest difference of time, in frames.
    static let nearest = 2
    static let farthest = 63

    /// The leading bits of a key from three quantized values; `nil` if one is out of range.
    @inline(__always)
    static func pair(frequency: Int, rise: Int, delay: Int) -> UInt32? {
        guard frequency >= 0, frequency < frequencyCells, abs(rise) <= widest, delay >= nearest, delay <= farthest
        else { return nil }
        return UInt32(truncatingIfNeeded: frequency << 13 | (rise + 64) << 6 | delay)
    }

    /// A key from its leading bits and the third landmark's quantized differences.
    @inline(__always)
    static func key(pair: UInt32, rise: Int, delay: Int) -> UInt32 {
        pair << UInt32(thirdBits) | UInt32(truncatingIfNeeded: (rise + 32) & 0x3F) << 5
            | UInt32(truncatingIfNeeded: delay & 0x1F)
    }

    /// The later landmarks that an anchor is combined with: the nearest ones within reach.
    ///
    /// - Parameters:
    ///   - anchor: Index of the first landmark.
    ///   - landmarks: Sorted by time.
    ///   - count: The largest number.
    ///   - slack: The relative margin of time to search, for queries that will be stretched.
    ///   - targets: Takes the indices, in order of time; what it held is dropped.
    @inline(__always)
    static func findTargets(
        of anchor: Int,
        in landmarks: UnsafeBufferPointer<Landmark>,
        count: Int,
        slack: Double,
        _ targets: inout [Int]
    ) {
        let steps = Landmark.stepsPerFrame
        let least = Int(Double(nearest * steps - steps / 2) * (1 - slack))
        let most = Int(Double(farthest * steps + steps / 2) * (1 + slack))
        let widestSteps = widest * Landmark.stepsPerBin + Landmark.stepsPerBin / 2
        let first = landmarks[anchor]
        targets.removeAll(keepingCapacity: true)
        var index = anchor + 1
        while index < landmarks.count, targets.count < count {
            let delay = Int(landmarks[index].time) - Int(first.time)
            if delay > most { break }
            if delay >= least, abs(Int(landmarks[index].frequency) - Int(first.frequency)) < widestSteps {
                targets.append(index)
            }
            index += 1
        }
    }

    /// The nearest multiple of `steps`, as its number.
    @inline(__always)
    static func quantize(_ value: Int, steps: Int) -> Int {
        let shifted = value + steps / 2
        return shifted >= 0 ? shifted / steps : -((-shifted + steps - 1) / steps)
    }
}
