/// The check sum of the formats (CRC-32C), by its definition: a fuzz target puts it right, so that the fuzzer reaches what
/// lies behind the check.
public func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
        table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8
    }
}

private let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
}

/// The bytes of a number, lowest first.
public func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
