import EarshotCore

/// The layout of a journal: `Docs/formats/tag-journal.md`.
enum JournalFormat {
    static let magic = Array("EARSHJNL".utf8)
    static let version: UInt16 = 1
    /// Bytes of the header before the path of the root.
    static let headerSize = 24
    /// Bytes of that path at most.
    static let mostRoot = 1 << 16
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
        /// A change that is not to be undone any more.
        case abandoned = 4
    }

    static func header(milliseconds: Int64, root: String? = nil) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(contentsOf: magic)
        writer.write(version)
        writer.write(UInt16(0))
        writer.write(milliseconds)
        let root = Array((root ?? "").utf8)
        writer.write(UInt32(root.count))
        writer.write(contentsOf: root)
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
