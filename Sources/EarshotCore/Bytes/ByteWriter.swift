/// Collects little-endian integers and byte sequences for a file format.
package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(reservingCapacity capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(contentsOf run: some Sequence<UInt8>) {
        bytes.append(contentsOf: run)
    }

    /// Writes an integer in groups of seven bits, lowest first; the top bit of a byte is set if another group follows
    /// (LEB128).
    package mutating func writeVariable(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes UTF-8 text with its length in bytes in front.
    package mutating func write(text: String) {
        let utf8 = Array(text.utf8)
        writeVariable(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    /// Writes zeros up to the next multiple of `alignment` bytes.
    package mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }
}
