import EarshotCore

/// Writes a ZIP file of stored entries in one pass, without times, permissions and comments. The same entries give the
/// same bytes.
struct ZipWriter {
    /// 1980-01-01, the first date of the format.
    private static let firstDay: UInt16 = 0x0021

    private let sink: any PackageSink
    private var directory = ByteWriter()
    private var offset = 0
    private var count = 0

    init(_ sink: any PackageSink) {
        self.sink = sink
    }

    /// Begins an entry. Exactly `size` bytes with this checksum must follow.
    mutating func begin(_ name: String, size: Int, checksum: UInt32) throws(EarshotError) {
        var common = ByteWriter()
        // Version 2.0; names in UTF-8; stored; no time.
        for number in [20, 1 << 11, 0, 0, Self.firstDay] as [UInt16] { common.write(number) }
        for number in [checksum, UInt32(clamping: size), UInt32(clamping: size)] { common.write(number) }
        common.write(UInt16(clamping: name.utf8.count))
        common.write(UInt16(0))
        var header = ByteWriter()
        header.write(UInt32(0x0403_4B50))
        header.write(contentsOf: common.bytes)
        header.write(contentsOf: name.utf8)
        directory.write(UInt32(0x0201_4B50))
        directory.write(UInt16(20))
        directory.write(contentsOf: common.bytes)
        // No comment, first disk, no attributes.
        directory.write(contentsOf: [UInt8](repeating: 0, count: 10))
        directory.write(UInt32(clamping: offset))
        directory.write(contentsOf: name.utf8)
        try sink.write(header.bytes)
        offset += header.bytes.count + size
        count += 1
    }

    /// Writes bytes of the entry.
    func write(_ bytes: [UInt8]) throws(EarshotError) { try sink.write(bytes) }

    /// Writes the directory and the end of the archive.
    func finish() throws(EarshotError) {
        var end = ByteWriter()
        end.write(UInt32(0x0605_4B50))
        end.write(UInt32(0))
        end.write(UInt16(clamping: count))
        end.write(UInt16(clamping: count))
        end.write(UInt32(clamping: directory.bytes.count))
        end.write(UInt32(clamping: offset))
        end.write(UInt16(0))
        try sink.write(directory.bytes + end.bytes)
    }
}
