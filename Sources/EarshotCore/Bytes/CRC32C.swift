/// Computes the CRC-32C checksum (Castagnoli polynomial 0x1EDC6F41, reflected), as in RFC 3720. It detects accidental
/// damage, not manipulation.
package struct CRC32C: Sendable {
    private var register: UInt32 = ~0

    package init() {}

    /// The checksum of all bytes so far.
    package var value: UInt32 { ~register }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var crc = register
        var offset = 0
        Self.tables.withUnsafeBufferPointer { table in
            // Eight bytes a step: one table for each place a byte can have in the word.
            while offset + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ crc
                let high = UInt32(truncatingIfNeeded: word >> 32)
                let first = table[0x700 + Int(low & 0xFF)] ^ table[0x600 + Int(low >> 8 & 0xFF)]
                let second = table[0x500 + Int(low >> 16 & 0xFF)] ^ table[0x400 + Int(low >> 24)]
                let third = table[0x300 + Int(high & 0xFF)] ^ table[0x200 + Int(high >> 8 & 0xFF)]
                let fourth = table[0x100 + Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                crc = first ^ second ^ third ^ fourth
                offset += 8
            }
            while offset < bytes.count {
                crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[offset])) & 0xFF)]
                offset += 1
            }
        }
        register = crc
    }

    /// Returns the checksum of bytes.
    package static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var crc = CRC32C()
        crc.update(bytes)
        return crc.value
    }

    /// Returns the checksum of bytes.
    package static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }

    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()
}
