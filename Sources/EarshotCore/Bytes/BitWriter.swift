/// Writes integers of up to 32 bits as a sequence of bits, the lowest bit of each byte first.
package struct BitWriter: Sendable {
    /// The complete bytes written so far. Call ``align()`` to include the last bits.
    package private(set) var bytes: [UInt8] = []
    private var held: UInt64 = 0
    private var count = 0

    package init(reservingCapacity capacity: Int) { bytes.reserveCapacity(capacity) }

    /// Writes an integer.
    ///
    /// - Parameters:
    ///   - number: The integer, which must fit into the width.
    ///   - width: The number of bits, at most 32.
    package mutating func write(_ number: UInt32, width: Int) {
        held |= UInt64(number) << UInt64(count)
        count += width
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            count -= 8
        }
    }

    package mutating func writeRice(_ number: UInt32, parameter: Int) {
        let quotient = Int(number >> UInt32(parameter))
        guard quotient < RiceCode.escape else {
            write(0, width: RiceCode.escape)
            write(number, width: 32)
            return
        }
        write(1 << UInt32(quotient), width: quotient + 1)
        write(number & (1 << UInt32(parameter) - 1), width: parameter)
    }

    /// Completes the last byte with zeros.
    package mutating func align() {
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: held)) }
        (held, count) = (0, 0)
    }

    package mutating func pad(_ number: Int) { bytes.append(contentsOf: repeatElement(0, count: number)) }
}
