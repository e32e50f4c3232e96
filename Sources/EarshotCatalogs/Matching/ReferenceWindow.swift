import EarshotSignatures

/// The landmarks of a part of a reference, as the verifier wants them: times and frequencies in plain arrays.
struct ReferenceWindow {
    /// Times in steps from the start of the reference, ascending.
    private(set) var times: [Int32] = []
    /// Frequencies in steps.
    private(set) var frequencies: [Int32] = []
    /// Tiers, below ``DamageModel/referenceTiers``.
    private(set) var tiers: [UInt8] = []
    /// The part of the reference that the window stands for, in steps.
    let steps: Range<Int>

    /// - Parameter steps: The part wanted; it is cut to the reference and widened to whole blocks.
    init(_ segment: Segment, reference number: Int, steps: Range<Int>) {
        let record = segment.records[number]
        let whole = record.frameCount * Landmark.stepsPerFrame
        let blockSteps = LandmarkPacking.stepsPerBlock
        let firstBlock = min(max(0, steps.lowerBound) / blockSteps, record.directoryCount)
        let lastBlock = min(max(0, steps.upperBound) / blockSteps + 1, record.directoryCount)
        let directory = segment.landmarkSpan.offset + record.landmarkOffset
        let base = segment.bytes.base
        var skipped = 0
        for block in 0..<firstBlock { skipped += Int(base[directory + block]) }
        let packed = directory + record.directoryCount
        let end = record.landmarkCount
        // A block, a second, holds about as many as a reference keeps.
        let room = (lastBlock - min(firstBlock, lastBlock)) * Reference.density + 16
        times.reserveCapacity(room)
        frequencies.reserveCapacity(room)
        tiers.reserveCapacity(room)
        var index = skipped
        for block in firstBlock..<max(firstBlock, lastBlock) {
            let stop = min(index + Int(base[directory + block]), end)
            while index < stop {
                let at = packed + index * LandmarkPacking.landmarkSize
                let landmark = LandmarkPacking.unpack(base[at], base[at + 1], base[at + 2], block: block)
                times.append(Int32(bitPattern: landmark.time & 0x7FFF_FFFF))
                frequencies.append(Int32(landmark.frequency))
                tiers.append(min(landmark.tier, UInt8(DamageModel.referenceTiers - 1)))
                index += 1
            }
        }
        let low = max(0, steps.lowerBound)
        self.steps = low..<max(low, min(steps.upperBound, whole))
    }
}
