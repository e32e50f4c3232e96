import CKernels

/// Adds up numbers with signs that are given as bits.
package enum SignedSum {
    /// Numbers of a row, and the bits for them.
    package static let width = 24

    /// The sum of rows of numbers; a number whose bit is not set counts negative.
    ///
    /// - Parameters:
    ///   - starts: The index in the values at which each row begins.
    ///   - signs: Three bytes for each row, the lowest bit first.
    package static func of(
        _ values: [Float],
        at starts: [Int32],
        signs: UnsafeRawBufferPointer,
        on kind: ProcessorKind = .best
    ) -> Float {
        precondition(
            signs.count >= 3 * starts.count && starts.allSatisfy { $0 >= 0 && Int($0) + width <= values.count },
            "every row lies inside the values, and has its bits"
        )
        guard let bytes = signs.baseAddress else { return 0 }
        return earshot_sum_signed(
            kind.number,
            values,
            starts,
            bytes.assumingMemoryBound(to: UInt8.self),
            Int32(starts.count)
        )
    }
}
