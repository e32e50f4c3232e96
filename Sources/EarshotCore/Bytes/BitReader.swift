/// Reads integers of up to 32 bits from a sequence of bits, the lowest bit of each byte first. It never reads beyond
/// the end.
package struct BitReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    /// The next byte that is not held.
    private var next: Int
    private var held: UInt64 = 0
    private var count = 0

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        next = bytes.startIndex
    }

    /// `true` if all bits were read, except for zeros in the last byte, as ``BitWriter/align()`` leaves them.
    package var isAtEnd: Bool { next == bytes.endIndex && count < 8 && held == 0 }

    private mutating func fill() {
        while count <= 56, next < bytes.endIndex {
            held |= UInt64(bytes[next]) << UInt64(count)
            count += 8
            next += 1
        }
    }

    /// Reads an integer.
    ///
    /// - Parameter width: The number of bits, at most 32.
    /// - Returns: The integer; `nil` if fewer bits are left.
    package mutating func read(_ width: Int) -> UInt32? {
        if count < width { fill() }
        guard count >= width else { return nil }
        let number = UInt32(truncatingIfNeeded: held & (1 << UInt64(width) - 1))
        held >>= UInt64(width)
        count -= width
        return number
    }

    /// Reads an integer in Rice code.
    ///
    /// - Parameter parameter: The number of bits of the remainder.
    /// - Returns: The integer; `nil` if the code is incomplete, or is not the shortest code of its number.
    package mutating func readRice(_ parameter: Int) -> UInt32? {
        if count < 32 { fill() }
        let quotient = held.trailingZeroBitCount
        guard quotient < RiceCode.escape else {
            guard count >= RiceCode.escape else { return nil }
            held >>= UInt64(RiceCode.escape)
            count -= RiceCode.escape
            guard let number = read(32), number >> UInt32(parameter) >= RiceCode.escape else { return nil }
            return number
        }
        guard count > quotient else { return nil }
        held >>= UInt64(quotient + 1)
        count -= quotient + 1
        return read(parameter).map { UInt32(quotient) << UInt32(parameter) | $0 }
    }
}
