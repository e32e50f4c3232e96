import EarshotDSP
import EarshotSignatures
import Foundation

/// The sum of a query's contrast map at the landmarks of a reference.
package struct ContrastReading: Sendable, Hashable, Codable {
    /// The distance of the sum from chance, in standard deviations.
    package var deviations: Double
    /// The alignment nearby where it is highest.
    var alignment: Alignment
    /// Landmarks of the reference inside the query.
    package var count: Int
}

/// Reads a query's contrast map at the landmarks of references, and holds the sum against that at places drawn by chance.
struct ContrastReader {
    /// Landmarks that must lie inside the query for a place to count.
    static let leastInside = 12
    /// Places of the catalog that are drawn to measure chance.
    private static let draws = 200
    /// Offsets that are read to either side, in rows of the map: ±24 ms.
    private static let rowReach = 3
    private static let binReach = 1
    private static let rowCells = 2 * rowReach + 1
    private static let binCells = 2 * binReach + 1
    /// Below this at the alignment's own speed, no other is tried.
    private static let leastForSpeeds = 1.5
    /// By how much another speed or pitch must fit better to count, in standard deviations. Long notes fit nearly as well at the wrong one.
    private static let betterBy = 0.5
    /// Speeds that are tried, relative to the alignment's.
    private static let speeds = [1.0, 0.996, 1.004]

    let map: ContrastMap
    /// Mean and standard deviation of a landmark's value at places drawn by chance.
    private var mean = 0.0
    private var deviation = 1.0

    /// - Returns: nil when the query has no map, or one too short to say anything.
    init?(_ query: Signature, targets: [MaskedSegment]) {
        guard let levels = query.levels?.whole, levels.rowCount > 2 * Self.rowReach else { return nil }
        map = ContrastMap(levels)
        guard draw(from: targets) else { return nil }
    }

    /// The steps of a query that the map covers.
    private var lastStep: Double {
        Double(ContrastMap.firstStep + (map.rowCount - 1) * ContrastMap.stepsPerRow)
    }

    /// The same map for a search of whole references.
    func scan() -> ContrastScan { ContrastScan(map, mean: mean, deviation: deviation) }

    // MARK: - Places

    /// The best reading within ±24 ms, ±0.4 % of speed and ±1 bin of an alignment.
    func reading(of segment: Segment, _ reference: Int, _ alignment: Alignment) -> ContrastReading? {
        let window = window(of: segment, reference, alignment)
        var best: ContrastReading?
        for speed in Self.speeds {
            var tried = alignment
            // About the middle of the query, so that offsets stay near.
            tried.speed *= speed
            tried.offset += (alignment.speed - tried.speed) * lastStep / 2
            let (sums, count) = sums(on: window, tried)
            guard count >= Self.leastInside else { continue }
            let (index, sum) = sums.enumerated().max { $0.element < $1.element } ?? (0, 0)
            let reached = deviations(sum, count)
            if reached > best?.deviations ?? -.infinity {
                tried.pitch += Double((index % Self.binCells - Self.binReach) * Landmark.stepsPerBin)
                tried.offset -= Double((index / Self.binCells - Self.rowReach) * ContrastMap.stepsPerRow) * tried.speed
                best = ContrastReading(deviations: reached, alignment: tried, count: count)
            }
            // By chance the best of all these cells has about 2.
            if reached < Self.leastForSpeeds { break }
        }
        return best
    }

    /// Returns `true` if the map fits a place better at another speed or pitch about its middle.
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

    /// The landmarks of a reference on the map.
    func marks(of segment: Segment, _ reference: Int, _ alignment: Alignment) -> [ContrastEvidence.Mark] {
        var marks: [ContrastEvidence.Mark] = []
        forEachCell(of: window(of: segment, reference, alignment), alignment) { row, bin in
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

    /// Calls `body` with row and bin of each landmark that lies in the map with all cells around it.
    @inline(__always)
    private func forEachCell(of window: ReferenceWindow, _ alignment: Alignment, _ body: (Int, Int) -> Void) {
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

    /// The sums at the offsets and pitches near an alignment, offsets by rows, and the landmarks inside the query.
    private func sums(on window: ReferenceWindow, _ alignment: Alignment) -> (sums: [Int32], count: Int) {
        let bins = FrequencyAxis.binCount
        var count = 0
        var sums = [Int32](repeating: 0, count: Self.rowCells * Self.binCells)
        map.values.withUnsafeBufferPointer { values in
            sums.withUnsafeMutableBufferPointer { sums in
                forEachCell(of: window, alignment) { place, bin in
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

    /// Measures chance at places of the catalog drawn evenly over its audio, the same for a query each time.
    private mutating func draw(from targets: [MaskedSegment]) -> Bool {
        let frames = targets.reduce(0) { $0 + $1.segment.frameCount }
        guard frames > 0 else { return false }
        var random = SplitMix(state: UInt64(map.rowCount) &* 0x9E37_79B9 &+ UInt64(map.values.count))
        var drawn: [(sum: Double, count: Double)] = []
        for _ in 0..<Self.draws {
            guard let (index, reference, offset) = random.place(in: targets, frameCount: frames) else { continue }
            let segment = targets[index].segment
            let alignment = Alignment(offset: Double(offset), speed: 1, pitch: 0)
            let window = ReferenceWindow(segment, reference: reference, steps: offset..<offset + Int(lastStep) + 1)
            let (sums, count) = sums(on: window, alignment)
            guard count >= Self.leastInside else { continue }
            drawn.append((Double(sums[Self.rowReach * Self.binCells + Self.binReach]), Double(count)))
        }
        guard drawn.count >= 20 else { return false }
        mean = drawn.reduce(0) { $0 + $1.sum } / drawn.reduce(0) { $0 + $1.count }
        let middle = mean
        let variance = drawn.reduce(0) { $0 + ($1.sum - middle * $1.count) * ($1.sum - middle * $1.count) / $1.count }
        deviation = max(1, (variance / Double(drawn.count)).squareRoot())
        return true
    }
}
