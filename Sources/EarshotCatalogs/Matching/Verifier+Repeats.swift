import EarshotDSP
import EarshotSignatures

extension Verifier {
    /// The distance from a match within which the same reference is searched for repeats: 15 minutes.
    static let repeatReach = 900 * Landmark.stepsPerSecond

    /// The largest difference between the frequencies of a coincidence, in steps: half a bin.
    private static let heightTolerance = Landmark.stepsPerBin / 2
    /// The width of a bin of offsets, in steps: one frame.
    private static let offsetCell = Landmark.stepsPerFrame

    /// Returns other positions of the query in a reference at the speed and pitch of a match, likeliest first.
    ///
    /// Music repeats itself, and the votes of the index may have missed a repeat, or found a repeat instead of the
    /// place itself. Every landmark of the query is compared with every one of the reference at the same frequency. The
    /// offsets at which most of them coincide are returned.
    ///
    /// - Parameters:
    ///   - match: The match; its own offset is among the results.
    ///   - window: The reference around it.
    ///   - limit: The largest number of offsets.
    /// - Returns: The offsets, in steps.
    func offsets(like match: Alignment, on window: ReferenceWindow, limit: Int) -> [Double] {
        guard let first = window.times.first, let last = window.times.last else { return [] }
        let lead = Int(match.speed * lastTime) + Self.offsetCell
        let low = Int(first) - lead
        let cells = (Int(last) - low) / Self.offsetCell + 2
        guard cells > 0, Int(last) >= Int(first) else { return [] }
        let (order, starts) = byFrequency(window)
        var counts = [UInt16](repeating: 0, count: cells + 1)
        counts.withUnsafeMutableBufferPointer { counts in
            for index in times.indices {
                let height = Int((frequencies[index] - match.pitch).rounded())
                let from = min(max(0, height - Self.heightTolerance), starts.count - 1)
                let until = min(max(from, height + Self.heightTolerance + 1), starts.count - 1)
                let shift = Int((match.speed * times[index]).rounded()) + low
                for position in starts[from]..<starts[until] {
                    let cell = (Int(window.times[order[position]]) - shift) / Self.offsetCell
                    if cell >= 0, cell < cells { counts[cell] &+= 1 }
                }
            }
        }
        return peaks(counts, limit: limit).map { Double(low + ($0 + 1) * Self.offsetCell) }
    }

    /// Sorts the landmarks of a window by frequency, and returns the start of each frequency in this order.
    private func byFrequency(_ window: ReferenceWindow) -> (order: [Int], starts: [Int]) {
        let rows = FrequencyAxis.binCount * Landmark.stepsPerBin
        var starts = [Int](repeating: 0, count: rows + 1)
        for frequency in window.frequencies where frequency < rows { starts[Int(frequency) + 1] += 1 }
        for row in 0..<rows { starts[row + 1] += starts[row] }
        var next = starts
        var order = [Int](repeating: 0, count: starts[rows])
        for index in window.frequencies.indices where window.frequencies[index] < rows {
            let row = Int(window.frequencies[index])
            order[next[row]] = index
            next[row] += 1
        }
        return (order, starts)
    }

    /// Returns the cells with the highest count, together with their next cell; of near ones only the best.
    private func peaks(_ counts: [UInt16], limit: Int) -> [Int] {
        var best: [(count: Int, cell: Int)] = []
        for cell in 0..<max(0, counts.count - 1) {
            let count = Int(counts[cell]) + Int(counts[cell + 1])
            guard count > (best.count == limit ? best[limit - 1].count : 3) else { continue }
            if let near = best.firstIndex(where: { abs($0.cell - cell) <= 8 }) {
                guard best[near].count < count else { continue }
                best.remove(at: near)
            }
            best.insert((count, cell), at: best.firstIndex { $0.count < count } ?? best.count)
            if best.count > limit { best.removeLast() }
        }
        return best.map(\.cell)
    }
}
