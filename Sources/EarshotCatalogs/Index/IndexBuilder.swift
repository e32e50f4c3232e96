import EarshotCore
import EarshotSignatures

/// Builds the index of a set of references: for each key the units of a common timeline at which it occurs.
///
/// The references lie one after another on the timeline. The first pass over the landmarks counts the postings of each
/// pair of landmarks; the second pass places them. Then each run is sorted by itself. This takes eight bytes of memory
/// a posting.
struct IndexBuilder {
    /// The number of landmarks a second that are indexed, the strongest of each reference.
    static let density = 24
    /// The number of pairs that each landmark begins. The landmark after the second one is the third of the key.
    static let fanOut = 2

    /// The largest number of postings, because 32 bits count and place them.
    private static let maximumPostings = Int(UInt32.max)

    /// The first key of each block of postings.
    let blockKeys: [UInt32]
    /// The offset of each block in ``postings``, in bytes, and the end of the last block.
    let offsets: [UInt32]
    /// The packed postings.
    let postings: [UInt8]
    /// The number of postings.
    let postingCount: Int

    /// Builds the index.
    ///
    /// - Parameters:
    ///   - references: The landmarks of each reference and its first frame on the timeline, ascending.
    ///   - frameCount: The length of the timeline, in frames of 16 ms.
    /// - Throws: `catalogInvalid` if there are more than 4 billion postings, or the packed index exceeds 4 GiB.
    init(
        _ references: [(landmarks: [Landmark], firstFrame: Int)],
        frameCount: Int
    ) throws(EarshotError) {
        var starts = [UInt32](repeating: 0, count: 1 << LandmarkKey.pairBits + 1)
        let indexed = references.map { reference in
            let tiers = Self.density / Landmark.ranksPerTier
            return (landmarks: reference.landmarks.filter { Int($0.tier) < tiers }, firstFrame: reference.firstFrame)
        }
        for reference in indexed {
            Self.forEachPosting(reference) { key, _ in starts[Int(key >> UInt32(LandmarkKey.thirdBits)) + 1] += 1 }
        }
        guard starts.reduce(0, { $0 + Int($1) }) <= Self.maximumPostings else {
            throw EarshotError(
                .catalogInvalid,
                "The index would exceed 4 billion postings: split the references into several catalogs."
            )
        }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        let count = Int(starts[starts.count - 1])
        // The third landmark's bits stand above the unit, so sorting the numbers sorts by both.
        var placed = [UInt64](repeating: 0, count: count)
        var next = starts
        let third: UInt32 = 1 << UInt32(LandmarkKey.thirdBits) - 1
        for reference in indexed {
            Self.forEachPosting(reference) { key, unit in
                let pair = Int(key >> UInt32(LandmarkKey.thirdBits))
                placed[Int(next[pair])] = UInt64(key & third) << 32 | UInt64(unit)
                next[pair] += 1
            }
        }
        var writer = PostingWriter(frameCount: frameCount, reserving: count)
        for pair in 0..<starts.count - 1 where starts[pair] < starts[pair + 1] {
            let run = Int(starts[pair])..<Int(starts[pair + 1])
            placed[run].sort()
            let high = UInt32(pair) << UInt32(LandmarkKey.thirdBits)
            for index in run {
                try writer.append(
                    key: high | UInt32(truncatingIfNeeded: placed[index] >> 32),
                    unit: UInt32(truncatingIfNeeded: placed[index])
                )
            }
        }
        postings = try writer.finish()
        blockKeys = writer.blockKeys
        offsets = writer.offsets
        postingCount = writer.postingCount
    }

    @inline(__always)
    private static func forEachPosting(
        _ reference: (landmarks: [Landmark], firstFrame: Int),
        _ body: (UInt32, UInt32) -> Void
    ) {
        var targets: [Int] = []
        reference.landmarks.withUnsafeBufferPointer { landmarks in
            for index in landmarks.indices {
                let anchor = landmarks[index]
                LandmarkKey.findTargets(of: index, in: landmarks, count: fanOut + 1, slack: 0, &targets)
                guard targets.count >= 2 else { continue }
                let unit = (reference.firstFrame + Int(anchor.time) / Landmark.stepsPerFrame) >> PostingCode.unitShift
                for number in 0..<targets.count - 1 {
                    let (second, third) = (landmarks[targets[number]], landmarks[targets[number + 1]])
                    let rise = Int(second.frequency) - Int(anchor.frequency)
                    let delay = Int(second.time) - Int(anchor.time)
                    guard
                        let pair = LandmarkKey.pair(
                            frequency: Int(anchor.frequency) / LandmarkKey.frequencyCell,
                            rise: LandmarkKey.quantize(rise, steps: Landmark.stepsPerBin),
                            delay: LandmarkKey.quantize(delay, steps: Landmark.stepsPerFrame)
                        )
                    else { continue }
                    let thirdRise = Int(third.frequency) - Int(anchor.frequency)
                    let thirdDelay = Int(third.time) - Int(anchor.time)
                    let key = LandmarkKey.key(
                        pair: pair,
                        rise: LandmarkKey.quantize(thirdRise, steps: LandmarkKey.thirdRiseCell),
                        delay: LandmarkKey.quantize(thirdDelay, steps: LandmarkKey.thirdDelayCell)
                    )
                    body(key, UInt32(unit))
                }
            }
        }
    }
}
