import EarshotDSP
import EarshotSignatures

/// An index key of three neighboring landmarks: the frequency of the first, and the distances of the second and third
/// from it in frequency and time.
///
/// A key has 30 bits. The upper 19 describe the pair of the first two landmarks: 6 bits for the cell of the first
/// frequency (4 bins wide), 7 for the difference in frequency (1 bin), 6 for the difference in time (1 frame). The
/// lower 11 place the third: 6 for its difference in frequency (4 bins), 5 for its difference in time (4 frames). So
/// one sorted index serves both searches: a whole key finds few postings, a pair finds all keys that begin with it.
/// Differences survive a change of pitch, and a small change of speed moves them by less than a cell.
enum LandmarkKey {
    /// The version of this key layout and posting code, stored with every index.
    static let scheme: UInt32 = 3

    /// The size of a key, in bits: those of the pair of the first two landmarks above those of the third.
    static let bits = 30
    /// Bits that place the third landmark.
    static let thirdBits = 11
    static let pairBits = bits - thirdBits
    /// Steps of 1/8 bin in a cell of the first frequency: 4 bins.
    static let frequencyCell = 4 * Landmark.stepsPerBin
    static let frequencyCells = FrequencyAxis.binCount / 4
    /// Steps in a cell of the third landmark's differences: 4 bins and 4 frames.
    static let thirdRiseCell = 4 * Landmark.stepsPerBin
    static let thirdDelayCell = 4 * Landmark.stepsPerFrame
    /// The largest difference in frequency, in bins.
    static let widest = 63
    /// The least and the largest difference in time, in frames of 16 ms.
    static let nearest = 2
    static let farthest = 63

    /// Returns the upper bits of a key from three quantized values; `nil` if one is out of range.
    @inline(__always)
    static func pair(frequency: Int, rise: Int, delay: Int) -> UInt32? {
        guard frequency >= 0, frequency < frequencyCells, abs(rise) <= widest, delay >= nearest, delay <= farthest
        else { return nil }
        return UInt32(truncatingIfNeeded: frequency << 13 | (rise + 64) << 6 | delay)
    }

    /// Returns a key from the bits of the pair and the third landmark's quantized differences.
    @inline(__always)
    static func key(pair: UInt32, rise: Int, delay: Int) -> UInt32 {
        pair << UInt32(thirdBits) | UInt32(truncatingIfNeeded: (rise + 32) & 0x3F) << 5
            | UInt32(truncatingIfNeeded: delay & 0x1F)
    }

    /// Finds the later landmarks that an anchor is paired with: the nearest ones within reach.
    ///
    /// - Parameters:
    ///   - anchor: The index of the first landmark.
    ///   - landmarks: The landmarks, sorted by time.
    ///   - count: The largest number of targets.
    ///   - slack: The relative margin by which the reach in time is widened, for queries that will be stretched.
    ///   - targets: Receives the indices, in order of time; its previous content is removed.
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

    /// Returns the nearest multiple of `steps`, divided by `steps`.
    @inline(__always)
    static func quantize(_ value: Int, steps: Int) -> Int {
        let shifted = value + steps / 2
        return shifted >= 0 ? shifted / steps : -((-shifted + steps - 1) / steps)
    }
}
