import EarshotDSP
import EarshotSignatures

/// The contrast map of a long recording, computed on demand in blocks of 10 s.
struct ContrastStrip {
    /// Spectrogram frames in a block.
    private static let blockFrames = 10 * Landmark.stepsPerSecond / Landmark.stepsPerFrame
    /// Frames to either side of a block that are computed too, for the contrast at its ends.
    private static let margin = 10
    private static let bins = FrequencyAxis.binCount
    /// The largest number of blocks that are kept: 20 minutes, 36 MB.
    private static let mostBlocks = 120

    private let levels: QueryLevels
    private var blocks: [Int: [Int8]] = [:]

    init(_ levels: QueryLevels) { self.levels = levels }

    /// Consecutive rows of the map.
    struct Part {
        /// The first row's number in the recording.
        let firstRow: Int
        let rowCount: Int
        let values: [Int8]
    }

    /// Returns rows of the recording's map; rows outside the recording are zero.
    mutating func part(_ rows: Range<Int>) -> Part {
        let blockRows = 2 * Self.blockFrames
        let rows = max(0, rows.lowerBound)..<max(0, rows.upperBound)
        var values: [Int8] = []
        values.reserveCapacity(rows.count * Self.bins)
        var row = rows.lowerBound
        while row < rows.upperBound {
            let block = row / blockRows
            let end = min(rows.upperBound, (block + 1) * blockRows)
            let known = self.block(block)
            values += known[(row - block * blockRows) * Self.bins..<(end - block * blockRows) * Self.bins]
            row = end
        }
        return Part(firstRow: rows.lowerBound, rowCount: rows.count, values: values)
    }

    private mutating func block(_ number: Int) -> [Int8] {
        if let known = blocks[number] { return known }
        let size = 2 * Self.blockFrames * Self.bins
        let first = max(0, number * Self.blockFrames - Self.margin)
        let last = (number + 1) * Self.blockFrames + Self.margin
        let part = levels.part(first..<last)
        var values: [Int8] = []
        if let part {
            let map = ContrastMap(part)
            values = Array(map.values.dropFirst(2 * (number * Self.blockFrames - first) * Self.bins).prefix(size))
        }
        values += [Int8](repeating: 0, count: size - values.count)
        if blocks.count >= Self.mostBlocks { blocks.removeAll() }
        blocks[number] = values
        return values
    }
}
