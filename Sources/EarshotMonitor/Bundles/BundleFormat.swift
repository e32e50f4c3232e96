import EarshotCore

/// The layout of bundles: `Docs/formats/bundle.md`.
enum BundleFormat {
    static let magic = Array("EARSHBDL".utf8)
    static let majorVersion: UInt16 = 1
    static let minorVersion: UInt16 = 0
    /// The header without identifier, title and checksum.
    static let headerSize = 44
    /// Kind and length, in front of what a record holds.
    static let recordHeadSize = 8
    static let checksumSize = 4
    /// The size of the trailer, in bytes.
    static let trailerSize = 56

    /// A record of this bit is not passed over by a reader that does not know its kind.
    static let required: UInt32 = 1 << 31

    /// The kind of a record.
    enum Kind {
        static let reference = required | 1
        static let work = required | 2
        static let customData = required | 3
        static let trailer = required | 4
    }

    // MARK: - Limits

    /// The largest record, in bytes: a signature of 100 hours with its media item fits.
    static let maximumRecordSize = 64 << 20
    static let maximumReferences = 1_000_000
    static let maximumWorks = 1_000_000
    /// Records of kinds that a reader does not know.
    static let maximumUnknown = 1_000_000
    static let maximumWorkSize = 1 << 20
    /// Names of references, identifiers of works and of custom data, in bytes.
    static let maximumNameSize = 512
    /// Titles and subtitles, in bytes.
    static let maximumTitleSize = 4_096

    /// The most that a record of a kind may hold.
    static func maximumSize(of kind: UInt32) -> Int {
        switch kind {
        case Kind.work: maximumWorkSize
        // Two texts with their lengths stand before the bytes.
        case Kind.customData: 1_048_576 + 2 * (maximumNameSize + 2)
        case Kind.trailer: trailerSize
        default: maximumRecordSize
        }
    }

    /// The error for a bundle that cannot be used.
    static func invalid(_ name: String, _ what: String, cause: (any Error)? = nil) -> EarshotError {
        EarshotError(.bundleInvalid, "\(name) \(what).", cause: cause)
    }
}
