import EarshotDSP
import EarshotSignatures

extension Verifier {
    /// The distance from a match within which the same reference is searched for others: 15 minutes.
    static let repeatReach = 900 * Landmark.stepsPerSecond

    /// Half a bin: how near two frequencies must be for a coincidence.
    private static let heightTolerance = Landmark.stepsPerBin / 2
    /// A frame: the bins of offsets.
    private static let offsetCell = Landmark.stepsPerFrame

    /// Other positions of the query in a reference at the speed and pitch of a match, likeliest first.
    ///
    /// Music repeats itself, and the votes of the index may have passed a repeat over, or the place itself for a repeat.
    /// Every landmark of the query is held against every one of the reference of the same frequency; the offsets at which
    /// most of them meet are candidates.
    ///
    /// - Parameters:
    ///   - match: The match; its own offset is among the results.
    ///   - window: The reference around it.
    ///   - limit: Offsets given, at most.
    /// - Returns: Offsets in steps.
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

    /// The landmarks of a window in order of frequency, and where each frequency begins.
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

    /// The cells that hold most together with the next one; of near ones only the best.
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
