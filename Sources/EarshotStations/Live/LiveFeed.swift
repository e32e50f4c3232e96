/// The numbers of the live feed format: see `Docs/formats/live-feed.md`.
enum LiveFeed {
    static let magic = Array("EARSHLIV".utf8)
    static let majorVersion: UInt16 = 1
    static let minorVersion: UInt16 = 0
    /// Bytes of the header before the channel's id.
    static let headerSize = 16
    /// Bytes that the id may take.
    static let maximumIDSize = 256
    /// Bytes of a record before its body, and of the check sum behind it.
    static let recordHeaderSize = 8
    static let checksumSize = 4
    /// Bytes that a body may take.
    static let maximumBodySize = 65_536
    /// Bytes of a piece before its signature.
    static let pieceHeaderSize = 16
    /// The kind of a record that is a piece.
    static let pieceKind: UInt32 = 1

    /// Returns `true` if a text may be the id of a channel.
    static func isChannel(_ id: String) -> Bool { (1...maximumIDSize).contains(id.utf8.count) }
}
