import EarshotCore

/// The coding of levels that are sent with a signature: about 4 kB a second of music, 2.2 bits a cell.
///
/// Cells are coded row after row, the lowest bin first, each as its difference from what its neighbors make likely: the cell
/// below it in its row, the one before it in time, and the one below that. The difference is in Rice's code. How long its
/// remainder is depends on how much the neighbors differ and on the differences that such neighbors had so far, as in lossless
/// picture coding (Weinberger, Seroussi and Sapiro 2000).
enum LevelCode {
    /// Classes of how much neighbors differ.
    private static let classes = 9
    /// Differences after which older ones count half.
    private static let memory: UInt32 = 64
    private static let mostRemainder = 6

    /// The statistics of cells with similar neighbors.
    private struct Context {
        var sum: UInt32 = 4
        var count: UInt32 = 2

        /// Bits of a remainder: the least that make the mean difference fit.
        var parameter: Int {
            var parameter = 0
            while count << UInt32(parameter) < sum, parameter < mostRemainder { parameter += 1 }
            return parameter
        }

        mutating func add(_ difference: UInt32) {
            sum += difference
            count += 1
            guard count == memory else { return }
            sum /= 2
            count /= 2
        }
    }

    /// Walks over the cells of rows; `cell` gives or takes the difference of each from its prediction.
    ///
    /// - Returns: `false` if `cell` returned `nil` or a level was out of range.
    @inline(__always)
    private static func walk(
        _ values: inout [UInt8],
        _ cell: (_ index: Int, _ prediction: Int, _ parameter: Int) -> UInt32?
    ) -> Bool {
        let bins = QueryLevels.bins
        var contexts = [Context](repeating: Context(), count: classes)
        for start in stride(from: 0, to: values.count, by: bins) {
            for bin in 0..<bins {
                let index = start + bin
                func before(_ bin: Int) -> Int {
                    start == 0 ? 0 : Int(values[start - bins + min(max(bin, 0), bins - 1)])
                }
                let (early, corner) = (before(bin), before(bin - 1))
                let below = bin > 0 ? Int(values[index - 1]) : early
                let prediction = min(max((3 * below + 3 * early - 2 * corner + 2) >> 2, 0), Int(QueryLevels.highest))
                let unrest = min(abs(below - corner) + abs(early - before(bin + 1)), classes - 1)
                guard let folded = cell(index, prediction, contexts[unrest].parameter) else { return false }
                contexts[unrest].add(folded)
                let level = prediction + unfolded(folded)
                guard level >= 0, level <= Int(QueryLevels.highest) else { return false }
                values[index] = UInt8(level)
            }
        }
        return true
    }

    static func bytes(_ levels: QueryLevels) -> [UInt8] {
        var values = levels.values
        var writer = BitWriter(reservingCapacity: values.count / 3)
        _ = walk(&values) { index, prediction, parameter in
            let difference = folded(Int(levels.values[index]) - prediction)
            writer.writeRice(difference, parameter: parameter)
            return difference
        }
        writer.align()
        return writer.bytes
    }

    /// Decodes the levels of the given number of rows; `nil` if the bytes have another length or are malformed.
    static func levels(_ bytes: ArraySlice<UInt8>, rows: Int) -> QueryLevels? {
        // A cell takes a bit at least, so that few bytes are not taken for many rows.
        guard rows <= QueryLevels.mostRows, rows * QueryLevels.bins <= bytes.count * 8 else { return nil }
        var reader = BitReader(bytes)
        var values = [UInt8](repeating: 0, count: rows * QueryLevels.bins)
        guard walk(&values, { _, _, parameter in reader.readRice(parameter) }), reader.isAtEnd else { return nil }
        return QueryLevels(values: values)
    }

    /// Differences in the order 0, −1, 1, −2, 2.
    private static func folded(_ difference: Int) -> UInt32 {
        UInt32(difference >= 0 ? 2 * difference : -2 * difference - 1)
    }

    private static func unfolded(_ number: UInt32) -> Int {
        number & 1 == 0 ? Int(number >> 1) : -Int(number >> 1) - 1
    }
}
