import EarshotDSP
import EarshotSignatures
import Foundation

/// The sum of a query's contrast map at the landmarks of a reference.
package struct ContrastReading: Sendable, Hashable, Codable {
    /// The distance of the sum from chance, in standard deviations.
    package var deviations: Double
    /// The alignment within reach at which the sum is highest.
    var alignment: Alignment
    /// The number of the reference's landmarks inside the query.
    package var count: Int
}

/// Reads a query's contrast map at the landmarks of references, and compares the sums with those at positions drawn by
/// chance.
struct ContrastReader {
    /// The fewest landmarks inside the query for a place to count.
    static let leastInside = 12
    /// The number of positions in the catalog that are drawn to measure chance.
    private static let drawCount = 200
    /// Offsets that are read to either side, in rows of the map: ±24 ms.
    private static let rowReach = 3
    /// Pitches that are read to either side, in bins.
    private static let binReach = 1
    /// The numbers of offsets and of pitches that are read.
    private static let rowCells = 2 * rowReach + 1
    private static let binCells = 2 * binReach + 1
    /// The reading at the alignment's own speed, in standard deviations, below which no other speed is tried.
    private static let leastForSpeeds = 1.5
    /// The advantage in standard deviations from which another speed or pitch counts as better. Long notes fit nearly
    /// as well at a wrong one.
    private static let betterBy = 0.5
    /// The speeds that are tried, relative to the alignment's.
    private static let speeds = [1.0, 0.996, 1.004]

    let map: ContrastMap
    /// The mean and the standard deviation of a landmark's value at positions drawn by chance.
    private let mean: Double
    private let deviation: Double

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - targets: All segments of the catalog, in which chance is measured if `chance` is `nil`.
    ///   - chance: An earlier measurement.
    /// - Returns: `nil` if the query has no map or a map of too few rows, or if chance cannot be measured.
    init?(_ query: Signature, targets: [MaskedSegment], chance: SearchChance.Measure? = nil) {
        guard let map = Self.map(of: query),
            let chance = chance
                ?? Self.chance(Self.draws(map, targets, SearchPart.whole(targets), SearchTotals(targets).frameCount))
        else { return nil }
        self.map = map
        (mean, deviation) = (chance.mean, chance.deviation)
    }

    /// Returns the map of a query; `nil` if it has no spectrogram or one of too few rows.
    static func map(of query: Signature) -> ContrastMap? {
        guard let levels = query.levels?.whole, levels.rowCount > 2 * rowReach else { return nil }
        return ContrastMap(levels)
    }

    /// The last step of the query that the map covers.
    private var lastStep: Double { Self.lastStep(map) }

    private static func lastStep(_ map: ContrastMap) -> Double {
        Double(ContrastMap.firstStep + (map.rowCount - 1) * ContrastMap.stepsPerRow)
    }

    /// Returns a scan of whole references with the same map.
    func scan() -> ContrastScan { ContrastScan(map, mean: mean, deviation: deviation) }

    // MARK: - Places

    /// Returns the best reading within ±24 ms, ±0.4 % of speed and ±1 bin of an alignment; `nil` if too few landmarks
    /// lie inside the query.
    func reading(of segment: Segment, _ reference: Int, _ alignment: Alignment) -> ContrastReading? {
        let window = window(of: segment, reference, alignment)
        var best: ContrastReading?
        for speed in Self.speeds {
            var tried = alignment
            // Turned about the middle of the query, so that offsets stay near.
            tried.speed *= speed
            tried.offset += (alignment.speed - tried.speed) * lastStep / 2
            let (sums, count) = Self.sums(map, on: window, tried)
            guard count >= Self.leastInside else { continue }
            let (index, sum) = sums.enumerated().max { $0.element < $1.element } ?? (0, 0)
            let reached = deviations(sum, count)
            if reached > best?.deviations ?? -.infinity {
                tried.pitch += Double((index % Self.binCells - Self.binReach) * Landmark.stepsPerBin)
                tried.offset -= Double((index / Self.binCells - Self.rowReach) * ContrastMap.stepsPerRow) * tried.speed
                best = ContrastReading(deviations: reached, alignment: tried, count: count)
            }
            // By chance the best of all these cells reaches about 2.
            if reached < Self.leastForSpeeds { break }
        }
        return best
    }

    /// Returns `true` if the map fits better at another speed or pitch, turned about its middle.
    func fitsBetterOtherwise(at reading: ContrastReading, of segment: Segment, _ reference: Int) -> Bool {
        let place = reading.alignment
        return Hypothesis.escalation.contains { hypothesis in
            let other = Alignment(
                offset: place.offset + (place.speed - hypothesis.speed) * lastStep / 2,
                speed: hypothesis.speed,
                pitch: hypothesis.pitch * Double(Landmark.stepsPerBin)
            )
            return self.reading(of: segment, reference, other)?.deviations ?? 0 > reading.deviations + Self.betterBy
        }
    }

    /// Returns the landmarks of a reference that lie on the map.
    func marks(of segment: Segment, _ reference: Int, _ alignment: Alignment) -> [ContrastEvidence.Mark] {
        var marks: [ContrastEvidence.Mark] = []
        Self.forEachCell(map, of: window(of: segment, reference, alignment), alignment) { row, bin in
            let value = Double(map.values[row * FrequencyAxis.binCount + bin])
            marks.append(
                ContrastEvidence.Mark(
                    time: ContrastMap.time(ofRow: row),
                    bin: Double(bin),
                    deviations: (value - mean) / deviation
                )
            )
        }
        return marks
    }

    private func window(of segment: Segment, _ reference: Int, _ alignment: Alignment) -> ReferenceWindow {
        let margin = 32.0
        let begin = Int(alignment.offset + alignment.speed * Double(ContrastMap.firstStep) - margin)
        let end = Int(alignment.offset + alignment.speed * lastStep * 1.004 + margin)
        return ReferenceWindow(segment, reference: reference, steps: begin..<max(begin, end))
    }

    /// Calls `body` with the row and bin of each landmark whose neighboring cells lie in the map too.
    @inline(__always)
    private static func forEachCell(
        _ map: ContrastMap,
        of window: ReferenceWindow,
        _ alignment: Alignment,
        _ body: (Int, Int) -> Void
    ) {
        let rate = 1 / (alignment.speed * Double(ContrastMap.stepsPerRow))
        let shift = alignment.offset + alignment.speed * Double(ContrastMap.firstStep)
        let reach = Double(Self.rowReach)
        let end = Double(map.rowCount - Self.rowReach)
        for index in window.times.indices {
            let place = ((Double(window.times[index]) - shift) * rate + 0.5).rounded(.down)
            guard place >= reach, place < end else { continue }
            let height = (Double(window.frequencies[index]) + alignment.pitch) / Double(Landmark.stepsPerBin)
            let bin = Int(height + 0.5)
            guard bin >= Self.binReach, bin < FrequencyAxis.binCount - Self.binReach else { continue }
            body(Int(place), bin)
        }
    }

    private func deviations(_ sum: Int32, _ count: Int) -> Double {
        (Double(sum) - mean * Double(count)) / (deviation * Double(count).squareRoot())
    }

    /// Returns the sums at the neighboring offsets and pitches of an alignment, and the number of landmarks inside the
    /// query.
    private static func sums(
        _ map: ContrastMap,
        on window: ReferenceWindow,
        _ alignment: Alignment
    ) -> (sums: [Int32], count: Int) {
        let bins = FrequencyAxis.binCount
        var count = 0
        var sums = [Int32](repeating: 0, count: Self.rowCells * Self.binCells)
        map.values.withUnsafeBufferPointer { values in
            sums.withUnsafeMutableBufferPointer { sums in
                forEachCell(map, of: window, alignment) { place, bin in
                    count += 1
                    var cell = (place - Self.rowReach) * bins + bin - Self.binReach
                    for row in 0..<Self.rowCells {
                        for side in 0..<Self.binCells {
                            sums[row * Self.binCells + side] += Int32(values[cell + side])
                        }
                        cell += bins
                    }
                }
            }
        }
        return (sums, count)
    }

    // MARK: - Chance

    /// Reads the map at positions drawn evenly over the audio of the whole catalog, as far as these segments have them.
    /// The positions are the same for the same query each time.
    static func draws(
        _ map: ContrastMap,
        _ targets: [MaskedSegment],
        _ parts: [SearchPart],
        _ frameCount: Int
    ) -> [ChanceDraws.Draw] {
        var random = SplitMix(state: UInt64(map.rowCount) &* 0x9E37_79B9 &+ UInt64(map.values.count))
        return (0..<drawCount).compactMap { number in
            guard let (index, reference, offset) = random.place(in: targets, parts, frameCount: frameCount) else {
                return nil
            }
            let segment = targets[index].segment
            let alignment = Alignment(offset: Double(offset), speed: 1, pitch: 0)
            let steps = offset..<offset + Int(lastStep(map)) + 1
            let (sums, count) = sums(map, on: ReferenceWindow(segment, reference: reference, steps: steps), alignment)
            guard count >= leastInside else { return nil }
            return ChanceDraws.Draw(number: number, sum: Double(sums[rowReach * binCells + binReach]), count: count)
        }
    }

    /// Returns the chance level of a landmark; `nil` if fewer than 20 positions were drawn.
    static func chance(_ draws: [ChanceDraws.Draw]) -> SearchChance.Measure? {
        SearchChance.Measure(draws, least: 20, leastDeviation: 1)
    }
}
