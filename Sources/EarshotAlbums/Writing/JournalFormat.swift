import EarshotCore

/// The layout of a journal: `Docs/formats/tag-journal.md`.
enum JournalFormat {
    static let magic = Array("EARSHJNL".utf8)
    static let version: UInt16 = 1
    /// Bytes of the header.
    static let headerSize = 24
    /// Bytes of a record before its body.
    static let headSize = 12
    /// Bytes of a record behind its body.
    static let checkSize = 4
    /// Bytes of a body at most.
    static let mostBody = 1 << 22

    enum Kind: UInt32 {
        /// A part of a delta.
        case delta = 1
        /// A change, of the delta parts before it.
        case change = 2
        /// A change that has been undone.
        case undone = 3
    }

    static func header(milliseconds: Int64) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(contentsOf: magic)
        writer.write(version)
        writer.write(UInt16(0))
        writer.write(milliseconds)
        writer.write(CRC32C.checksum(writer.bytes))
        return writer.bytes
    }

    static func record(_ kind: Kind, _ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reservingCapacity: headSize + body.count + checkSize)
        writer.write(kind.rawValue)
        writer.write(UInt32(body.count))
        writer.write(CRC32C.checksum(writer.bytes))
        writer.write(contentsOf: body)
        writer.write(CRC32C.checksum(writer.bytes))
        return writer.bytes
    }
}
