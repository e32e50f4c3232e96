import EarshotDSP
import EarshotSegments
import EarshotSignatures
import Foundation

/// Compares a query with the dense bits of references, and that with intervals drawn by chance.
struct DenseBitReader {
    /// The number of intervals of the catalog that are drawn to measure chance.
    private static let drawCount = 80
    /// The fewest rows of the reference inside the query: 0.8 s.
    private static let leastRows = 12
    /// Offsets that are read to either side, in rows of the map: ±16 ms.
    private static let reach = 2

    private let levels: QueryLevels
    private var known: [Int: (bits: SoftBits, mean: Double, deviation: Double)] = [:]
    private let targets: [MaskedSegment]
    /// The chance level of a bit in the whole catalog, at the pitch of the reference.
    private let chance: SearchChance.Measure?

    /// Creates a reader; `nil` if the query has no spectrogram or one of too few rows.
    ///
    /// - Parameters:
    ///   - targets: All segments of the catalog, in which chance is measured if `chance` is `nil`.
    ///   - chance: An earlier measurement, at the pitch of the reference.
    init?(_ query: Signature, targets: [MaskedSegment], chance: SearchChance.Measure? = nil) {
        guard let levels = Self.levels(of: query) else { return nil }
        (self.levels, self.targets, self.chance) = (levels, targets, chance)
    }

    private static func levels(of query: Signature) -> QueryLevels? {
        guard let levels = query.levels?.whole, levels.rowCount > 8 else { return nil }
        return levels
    }

    /// Returns the distance from chance of a reference's bits at an alignment, in standard deviations; `nil` if it has
    /// none, if too few lie inside the query, or if the pitch differs by 24 bins or more.
    mutating func deviations(of segment: Segment, _ reference: Int, _ alignment: Alignment) -> Double? {
        let pitch = Int((alignment.pitch / Double(Landmark.stepsPerBin)).rounded())
        guard abs(pitch) < 24 else { return nil }
        if known[pitch] == nil {
            let bits = SoftBits(levels, pitch: pitch)
            let measured =
                (pitch == 0 ? chance : nil)
                ?? Self.chance(
                    Self.draws(bits, of: levels, targets, SearchPart.whole(targets), SearchTotals(targets).frameCount)
                )
            known[pitch] = (bits, measured.mean, measured.deviation)
        }
        guard let (bits, mean, deviation) = known[pitch] else { return nil }
        var best: Double?
        for row in -Self.reach...Self.reach {
            var shifted = alignment
            shifted.offset += Double(row * ContrastMap.stepsPerRow)
            guard let (sum, count) = Self.sum(bits, segment, reference, shifted) else { continue }
            let reached = (sum - mean * Double(count)) / (deviation * Double(count).squareRoot())
            best = max(best ?? -.infinity, reached)
        }
        return best
    }

    /// Returns the sum over all bits of a reference inside the query, and their number; `nil` if there are too few
    /// rows.
    private static func sum(
        _ bits: SoftBits,
        _ segment: Segment,
        _ reference: Int,
        _ alignment: Alignment
    ) -> (Double, Int)? {
        let record = segment.records[reference]
        let rows = record.bitSize / DenseBits.rowSize
        guard rows > 0 else { return nil }
        let stepsPerRow = Double(DenseBits.framesPerRow * Landmark.stepsPerFrame)
        let first = Double(ContrastMap.firstStep)
        // The reference's steps at the query's first and last row.
        let begin = alignment.offset + alignment.speed * first
        let end = begin + alignment.speed * Double((bits.rowCount - 1) * ContrastMap.stepsPerRow)
        let low = max(0, Int(((begin - first) / stepsPerRow).rounded(.up)))
        let high = min(rows - 1, Int(((end - first) / stepsPerRow).rounded(.down)))
        guard high - low + 1 >= leastRows else { return nil }
        let base = segment.bytes.base
        let place = segment.bitRange(reference).lowerBound
        let starts: [Int32] = (low...high).map { row in
            let step = first + Double(row) * stepsPerRow
            let query = Int(((step - begin) / alignment.speed / Double(ContrastMap.stepsPerRow)) + 0.5)
            return Int32(min(max(0, query), bits.rowCount - 1) * SoftBits.stride)
        }
        let sum = SignedSum.of(
            bits.values,
            at: starts,
            signs: UnsafeRawBufferPointer(
                rebasing: base[place + low * DenseBits.rowSize..<place + (high + 1) * DenseBits.rowSize]
            )
        )
        return (Double(sum), (high - low + 1) * DenseBits.bitCount)
    }

    /// Reads a query at positions drawn evenly over the audio of the whole catalog, as far as these segments have them.
    static func draws(
        _ query: Signature,
        _ targets: [MaskedSegment],
        _ parts: [SearchPart],
        _ frameCount: Int
    ) -> [ChanceDraws.Draw] {
        levels(of: query).map { draws(SoftBits($0, pitch: 0), of: $0, targets, parts, frameCount) } ?? []
    }

    private static func draws(
        _ bits: SoftBits,
        of levels: QueryLevels,
        _ targets: [MaskedSegment],
        _ parts: [SearchPart],
        _ frameCount: Int
    ) -> [ChanceDraws.Draw] {
        var random = SplitMix(state: UInt64(levels.rowCount) &* 0x9E37_79B9)
        return (0..<drawCount).compactMap { number in
            guard let place = random.place(in: targets, parts, frameCount: frameCount) else { return nil }
            let alignment = Alignment(offset: Double(place.offset), speed: 1, pitch: 0)
            return sum(bits, targets[place.segment].segment, place.reference, alignment).map { sum, count in
                ChanceDraws.Draw(number: number, sum: sum, count: count)
            }
        }
    }

    /// Returns the chance level of a bit; mean 0 and deviation 1 if fewer than 10 positions were drawn.
    static func chance(_ draws: [ChanceDraws.Draw]) -> SearchChance.Measure {
        SearchChance.Measure(draws, least: 10, leastDeviation: 0.1) ?? SearchChance.Measure(mean: 0, deviation: 1)
    }
}

/// A generator of pseudorandom numbers, so that the same query draws the same positions.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Draws a position in the audio of the whole catalog: the segment, the reference and the step in it; `nil` if none
    /// of the segments has it.
    ///
    /// - Parameters:
    ///   - parts: The position of each segment in the whole.
    ///   - frameCount: The number of frames of the whole.
    mutating func place(
        in targets: [MaskedSegment],
        _ parts: [SearchPart],
        frameCount: Int
    ) -> (segment: Int, reference: Int, offset: Int)? {
        guard frameCount > 0 else { return nil }
        let drawn = Int(next() % UInt64(frameCount))
        let holder = targets.indices.first { index in
            (0..<targets[index].segment.frameCount).contains(drawn - parts[index].firstFrame)
        }
        guard let index = holder else { return nil }
        let frame = drawn - parts[index].firstFrame
        let records = targets[index].segment.records
        let reference = records.partitioningIndex { $0.frames.upperBound > frame }
        guard reference < records.count else { return nil }
        return (index, reference, (frame - records[reference].firstFrame) * Landmark.stepsPerFrame)
    }
}
