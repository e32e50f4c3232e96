/// Reads little-endian integers and byte sequences; every function is checked against the end.
///
/// A function returns `nil` if the value is not complete, and the reader keeps its position. The caller turns that into
/// an error that names the file.
package struct ByteReader {
    private let bytes: [UInt8]
    /// The offset of the next byte.
    package private(set) var offset: Int
    private let end: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    /// The number of bytes that were not read yet.
    package var remaining: Int { end - offset }

    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { return nil }
        defer { offset += size }
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }

    package mutating func read(count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// Reads an integer in LEB128, groups of seven bits; `nil` if it is incomplete or not in its shortest form.
    package mutating func readVariable() -> UInt64? {
        var number: UInt64 = 0
        var position = offset
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < end else { return nil }
            let byte = bytes[position]
            position += 1
            let group = UInt64(byte & 0x7F)
            guard shift < 63 || group <= 1 else { return nil }
            number |= group << shift
            if byte < 0x80 {
                guard byte != 0 || shift == 0 else { return nil }
                offset = position
                return number
            }
        }
        return nil
    }

    /// Reads UTF-8 text with its length in front; `nil` if it is incomplete or not valid UTF-8.
    package mutating func readText() -> String? {
        let start = offset
        guard let count = readVariable().flatMap({ Int(exactly: $0) }), let run = read(count: count),
            let text = String(validating: run, as: UTF8.self)
        else {
            offset = start
            return nil
        }
        return text
    }
}
