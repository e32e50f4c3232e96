import EarshotSegments
import EarshotSignatures

/// The landmarks of a part of a reference, with times and frequencies in plain arrays for the verifier.
struct ReferenceWindow {
    /// The times in steps of 2 ms from the start of the reference, ascending.
    let times: [Int32]
    /// The frequencies in steps of 1/8 bin.
    let frequencies: [Int32]
    /// The tiers, below ``DamageModel/referenceTiers``.
    let tiers: [UInt8]
    /// The part of the reference that the window covers, in steps.
    let steps: Range<Int>

    /// Decodes the landmarks of a part.
    ///
    /// - Parameter steps: The part, in steps. ``steps`` is cut to the reference; the landmarks cover whole blocks.
    init(_ segment: Segment, reference number: Int, steps: Range<Int>) {
        let record = segment.records[number]
        let whole = record.frameCount * Landmark.stepsPerFrame
        let blockSteps = LandmarkPacking.stepsPerBlock
        let firstBlock = min(max(0, steps.lowerBound) / blockSteps, record.directoryCount)
        let lastBlock = min(max(0, steps.upperBound) / blockSteps + 1, record.directoryCount)
        let directory = segment.landmarkSpan.offset + record.landmarkOffset
        let end = directory + record.landmarkSize
        let base = segment.bytes.base
        var start = directory + record.directoryCount
        var room = 0
        let sizes = LandmarkBlocks.sizes
        for block in 0..<firstBlock { start += sizes[Int(base[directory + block])] }
        let blocks = firstBlock..<max(firstBlock, lastBlock)
        for block in blocks { room += Int(base[directory + block]) }
        var frequencies: [Int32] = []
        var tiers: [UInt8] = []
        // Every query decodes many windows, so landmarks are written straight to their places. The directory gives the
        // largest number of them.
        times = Array(unsafeUninitializedCapacity: room) { times, written in
            frequencies = Array(unsafeUninitializedCapacity: room) { frequencies, frequencyCount in
                tiers = Array(unsafeUninitializedCapacity: room) { tiers, tierCount in
                    var index = 0
                    for block in blocks {
                        let count = Int(base[directory + block])
                        let size = sizes[count]
                        guard start + size <= end else { break }
                        let time = UInt32(truncatingIfNeeded: block * blockSteps)
                        LandmarkBlocks.forEachLandmark(in: base, at: start, count: count) { step, frequency, tier in
                            times[index] = Int32(bitPattern: (time &+ step) & 0x7FFF_FFFF)
                            frequencies[index] = Int32(bitPattern: frequency)
                            tiers[index] = UInt8(min(tier, UInt32(DamageModel.referenceTiers - 1)))
                            index += 1
                        }
                        start += size
                    }
                    (written, frequencyCount, tierCount) = (index, index, index)
                }
            }
        }
        self.frequencies = frequencies
        self.tiers = tiers
        let low = max(0, steps.lowerBound)
        self.steps = low..<max(low, min(steps.upperBound, whole))
    }
}
