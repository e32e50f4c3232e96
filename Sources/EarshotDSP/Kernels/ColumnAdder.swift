import CKernels

/// Adds columns of small numbers along a line: each from the place of a point on.
package struct ColumnAdder: Sendable {
    /// A column's length is a multiple of this.
    package static let step = 16

    /// Columns one behind the other.
    package let values: [Int16]
    /// Numbers of a column with what lies around it, numbers before it, and of itself.
    package let stride: Int
    package let lead: Int
    package let width: Int
    /// Bits by which times and heights are coarser as places and columns; they are rounded.
    private let timeBits: Int
    private let heightBits: Int

    /// - Parameters:
    ///   - values: Whole columns of `stride` numbers.
    ///   - width: Numbers of a column, a multiple of ``step``.
    ///   - timeStep: Steps of time from one place to the next, a power of two.
    ///   - heightStep: Steps of height from one column to the next, a power of two.
    package init(
        _ values: [Int16],
        stride: Int,
        lead: Int,
        width: Int,
        timeStep: Int,
        heightStep: Int
    ) {
        precondition(
            width.isMultiple(of: Self.step) && lead >= 0 && lead + width <= stride
                && values.count.isMultiple(of: stride),
            "columns are whole, and whole vectors"
        )
        precondition(timeStep.nonzeroBitCount == 1 && heightStep.nonzeroBitCount == 1, "steps are powers of two")
        (self.values, self.stride, self.lead, self.width) = (values, stride, lead, width)
        (timeBits, heightBits) = (timeStep.trailingZeroBitCount, heightStep.trailingZeroBitCount)
    }

    /// Adds a column for each point.
    ///
    /// - Parameters:
    ///   - times: Times of the points, in steps; those before the first place or behind the last are left out.
    ///   - start: The time of the first place.
    ///   - heights: Their heights, in steps.
    ///   - levels: Their levels; those at or above `levelCount` are left out.
    ///   - length: Places.
    ///   - reach: Places that a column covers.
    ///   - counts: Goes up by one where a column begins, and down where it ends; `length + reach` numbers.
    ///   - sums: `length + width` numbers, which wrap around.
    package func add(
        at times: [Int32],
        from start: Int,
        _ heights: [Int32],
        _ levels: [UInt8],
        below levelCount: Int,
        length: Int,
        reach: Int,
        counts: inout [Int32],
        sums: inout [Int16],
        on kind: ProcessorKind = .best
    ) {
        precondition(
            heights.count == times.count && levels.count == times.count && reach >= 0
                && counts.count >= length + reach && sums.count >= length + width,
            "there is room for every column"
        )
        values.withUnsafeBufferPointer { values in
            var columns = earshot_columns(
                values: values.baseAddress,
                columns: Int32(values.count / stride),
                stride: Int32(stride),
                lead: Int32(lead),
                width: Int32(width),
                length: Int32(length),
                x_shift: Int32((1 << timeBits) / 2 - start),
                x_bits: Int32(timeBits),
                y_shift: Int32((1 << heightBits) / 2),
                y_bits: Int32(heightBits),
                level_count: Int32(levelCount)
            )
            earshot_add_columns(
                kind.number,
                &columns,
                times,
                heights,
                levels,
                Int32(times.count),
                Int32(reach),
                &counts,
                &sums
            )
        }
    }
}
