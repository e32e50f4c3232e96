/// The constants of the live feed format; see `Docs/formats/live-feed.md`.
enum LiveFeed {
    /// The first bytes of a feed.
    static let magic = Array("EARSHLIV".utf8)
    /// The version of the format. A reader refuses a feed of another major version.
    static let majorVersion: UInt16 = 1
    static let minorVersion: UInt16 = 0
    /// The size of the header before the channel's identifier, in bytes.
    static let headerSize = 16
    /// The largest size of the identifier, in bytes.
    static let maximumIDSize = 256
    /// The size of a record before its body, and of the checksum after the body, in bytes.
    static let recordHeaderSize = 8
    static let checksumSize = 4
    /// The largest size of a body, in bytes.
    static let maximumBodySize = 65_536
    /// The size of a chunk before its signature, in bytes.
    static let pieceHeaderSize = 16
    /// The kind of a record with a chunk.
    static let pieceKind: UInt32 = 1

    /// Returns `true` if a text can be the identifier of a channel.
    static func isChannel(_ id: String) -> Bool { (1...maximumIDSize).contains(id.utf8.count) }
}
