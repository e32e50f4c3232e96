import EarshotDSP
import EarshotSignatures
import Foundation

/// Reads a query's contrast map at every 32 ms of the references, at the original speed and pitch.
///
/// The work is proportional to the landmarks of the references times the rows of the query, so only a part of a large
/// catalog can be scanned.
struct ContrastScan {
    /// A position with its sum, in standard deviations above chance.
    struct Place {
        var reference: Int
        /// The position in the reference at which the query begins, in steps of 2 ms.
        var step: Int
        var deviations: Double
    }

    /// The number of positions that are kept for each reference.
    private static let placesPerReference = 4
    /// The distance at which positions count as one, in rows of 32 ms.
    private static let reach = 6
    /// Rows of the map in one row of the scan, 32 ms. The positions found are read exactly afterwards.
    private static let mapRows = 4
    private static let stepsPerRow = mapRows * ContrastMap.stepsPerRow

    /// The tiers of landmarks that are used. Half of the landmarks of a reference find as surely, in half the time.
    private static let tiers: UInt8 = 3
    /// The largest number of landmarks inside the query that has a threshold of its own in ``least``.
    private static let mostInside = 4_095
    private typealias Lanes = SIMD16<Int16>

    private let rows: Int
    /// The number of rows, rounded up to whole vectors.
    private let width: Int
    /// The number of zeros before and after the rows of a column.
    private static let lead = Lanes.scalarCount
    /// For each bin the query's rows in reverse order, in halves of the map's units, between zeros.
    private let adder: ColumnAdder
    private let mean: Double
    private let deviation: Double
    /// The sum above which a position counts, by the number of landmarks inside.
    private let least: [Int16]
    /// The distance above chance of that sum, in standard deviations.
    private static let leastDeviations = 2.5

    /// Lays out a map for scanning.
    ///
    /// - Parameters:
    ///   - map: The query's map.
    ///   - mean: The chance level of a landmark, in the map's units.
    ///   - deviation: Its standard deviation.
    init(_ map: ContrastMap, mean: Double, deviation: Double) {
        let bins = FrequencyAxis.binCount
        // Sums over more rows would not fit into 16 bits.
        let rows = min((map.rowCount + Self.mapRows - 1) / Self.mapRows, 700)
        let width = (rows + Lanes.scalarCount - 1) / Lanes.scalarCount * Lanes.scalarCount
        let stride = width + 2 * Self.lead
        var columns = [Int16](repeating: 0, count: bins * stride)
        for row in 0..<rows {
            for bin in 0..<bins {
                columns[bin * stride + Self.lead + rows - 1 - row] = Int16(
                    map.values[Self.mapRows * row * bins + bin] >> 1
                )
            }
        }
        (self.rows, self.width) = (rows, width)
        adder = ColumnAdder(
            columns,
            stride: stride,
            lead: Self.lead,
            width: width,
            timeStep: Self.stepsPerRow,
            heightStep: Landmark.stepsPerBin
        )
        self.mean = mean / 2
        self.deviation = deviation / 2
        least = (0...Self.mostInside).map { count in
            guard count >= ContrastReader.leastInside else { return .max }
            let chance = mean / 2 * Double(count)
            return Int16(clamping: Int(chance + Self.leastDeviations * deviation / 2 * Double(count).squareRoot()))
        }
    }

    /// Returns the best positions of a segment, best first.
    func places(in target: MaskedSegment, limit: Int) -> [Place] {
        var best: [Place] = []
        for number in target.segment.records.indices where !target.removed.contains(number) {
            best += places(in: target.segment, number)
            guard best.count > 8 * limit else { continue }
            best.sort { $0.deviations > $1.deviations }
            best.removeLast(best.count - limit)
        }
        best.sort { $0.deviations > $1.deviations }
        return Array(best.prefix(limit))
    }

    /// Reads the map at the likely position of a query on a reference, within a quarter of a second.
    ///
    /// - Returns: The distance from chance, in standard deviations; `nil` if too few landmarks lie inside the query.
    func deviations(of segment: Segment, _ reference: Int, near guess: Alignment) -> Double? {
        let first = Double(ContrastMap.firstStep)
        let begin = Int(guess.offset + guess.speed * first)
        let end = Int(guess.offset + guess.speed * (first + Double(rows * Self.stepsPerRow)))
        let window = ReferenceWindow(segment, reference: reference, steps: begin..<max(begin, end))
        let rate = 1 / (guess.speed * Double(Self.stepsPerRow))
        let shift = guess.offset + guess.speed * first
        let half = Lanes.scalarCount / 2
        var sums = Lanes()
        var count = 0
        let stride = adder.stride
        adder.values.withUnsafeBytes { columns in
            for index in window.times.indices where window.tiers[index] < Self.tiers {
                let row = Int(((Double(window.times[index]) - shift) * rate + 0.5).rounded(.down))
                let height = Double(window.frequencies[index]) + guess.pitch
                let bin = Int(height + Double(Landmark.stepsPerBin / 2)) / Landmark.stepsPerBin
                guard row >= 0, row < rows, height >= 0, bin < FrequencyAxis.binCount else { continue }
                count += 1
                let place = bin * stride + Self.lead + rows - 1 - row - half
                sums &+= columns.loadUnaligned(fromByteOffset: place * MemoryLayout<Int16>.size, as: Lanes.self)
            }
        }
        guard count >= ContrastReader.leastInside else { return nil }
        let number = Double(count)
        return (Double(sums.max()) - mean * number) / (deviation * number.squareRoot())
    }

    private func places(in segment: Segment, _ number: Int) -> [Place] {
        let steps = segment.records[number].frameCount * Landmark.stepsPerFrame
        let window = ReferenceWindow(segment, reference: number, steps: 0..<steps)
        let length = steps / Self.stepsPerRow + 1
        // Entry k is for the query beginning at row k − rows + 1 of the reference.
        let size = length + rows
        var sums = [Int16](repeating: 0, count: size + width)
        var counts = [Int32](repeating: 0, count: size + 1)
        adder.add(
            at: window.times,
            from: ContrastMap.firstStep,
            window.frequencies,
            window.tiers,
            below: Int(Self.tiers),
            length: length,
            reach: rows,
            counts: &counts,
            sums: &sums
        )
        var found: [Place] = []
        for (index, inside) in high(sums, counts, size) {
            take(Double(sums[index]), inside, at: index, of: number, &found)
        }
        return found
    }

    /// Returns the offsets whose sum exceeds the threshold, each with its number of landmarks. This loop is all that
    /// most offsets cost.
    private func high(_ sums: [Int16], _ counts: [Int32], _ size: Int) -> [(index: Int, inside: Int)] {
        let most = Int32(Self.mostInside)
        var found: [(index: Int, inside: Int)] = []
        sums.withUnsafeBufferPointer { sums in
            counts.withUnsafeBufferPointer { counts in
                least.withUnsafeBufferPointer { least in
                    var inside: Int32 = 0
                    for index in 0..<size {
                        inside &+= counts[index]
                        if sums[index] > least[Int(min(inside, most))] { found.append((index, Int(inside))) }
                    }
                }
            }
        }
        return found
    }

    /// Keeps an offset if it is among the best of its reference. Of neighboring offsets only the better one is kept.
    private func take(_ sum: Double, _ inside: Int, at index: Int, of number: Int, _ found: inout [Place]) {
        let count = Double(inside)
        let reached = (sum - mean * count) / (deviation * count.squareRoot())
        let isFull = found.count == Self.placesPerReference
        guard reached > (isFull ? found[found.count - 1].deviations : Self.leastDeviations) else { return }
        let step = (index - rows + 1) * Self.stepsPerRow
        if let near = found.firstIndex(where: { abs($0.step - step) <= Self.reach * Self.stepsPerRow }) {
            guard found[near].deviations < reached else { return }
            found.remove(at: near)
        }
        let place = found.firstIndex { $0.deviations < reached } ?? found.count
        found.insert(Place(reference: number, step: step, deviations: reached), at: place)
        if found.count > Self.placesPerReference { found.removeLast() }
    }
}
