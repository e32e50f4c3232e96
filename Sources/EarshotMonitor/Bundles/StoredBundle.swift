public import Foundation

/// A bundle that a ``BundleStore`` holds.
public struct StoredBundle: Hashable, Sendable, Identifiable {
    /// The bundle's identifier.
    public let id: String
    /// Which state of the bundle it is.
    public let version: UInt64
    /// What the bundle is called.
    public let title: String?
    /// How long the bundle was, in bytes.
    public let byteCount: Int
    /// The number of references.
    public let referenceCount: Int
    /// How many works.
    public let workCount: Int
    /// How many references have custom data.
    public let customDataCount: Int
    /// How much the store takes for it, in bytes.
    public let storedByteCount: Int

    let creationMilliseconds: Int64
    let digestBytes: [UInt8]

    /// When the bundle was made.
    public var creationDate: Date { Date(timeIntervalSince1970: Double(creationMilliseconds) / 1_000) }
    /// The SHA-256 by which the bundle is known.
    public var digest: Data { Data(digestBytes) }

    init(
        id: String,
        version: UInt64,
        title: String?,
        creationMilliseconds: Int64,
        digestBytes: [UInt8],
        byteCount: Int,
        referenceCount: Int,
        workCount: Int,
        customDataCount: Int,
        storedByteCount: Int
    ) {
        self.id = id
        self.version = version
        self.title = title
        self.creationMilliseconds = creationMilliseconds
        self.digestBytes = digestBytes
        self.byteCount = byteCount
        self.referenceCount = referenceCount
        self.workCount = workCount
        self.customDataCount = customDataCount
        self.storedByteCount = storedByteCount
    }
}
