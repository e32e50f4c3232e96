/// Reads numbers of any width from a run of bits, the lowest first, and never beyond its end.
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

    /// `true` if all bytes were begun, and the rest of the last is zeros, as ``BitWriter/align()`` leaves it.
    package var isAtEnd: Bool { next == bytes.endIndex && count < 8 && held == 0 }

    private mutating func fill() {
        while count <= 56, next < bytes.endIndex {
            held |= UInt64(bytes[next]) << UInt64(count)
            count += 8
            next += 1
        }
    }

    /// - Parameter width: At most 32.
    /// - Returns: nil where fewer bits are left.
    package mutating func read(_ width: Int) -> UInt32? {
        if count < width { fill() }
        guard count >= width else { return nil }
        let number = UInt32(truncatingIfNeeded: held & (1 << UInt64(width) - 1))
        held >>= UInt64(width)
        count -= width
        return number
    }

    /// - Returns: nil where the code is cut short, or is not the shortest form of its number.
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
