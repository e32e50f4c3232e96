public import Foundation

/// A bundle that a ``BundleStore`` holds.
public struct StoredBundle: Hashable, Sendable, Identifiable {
    /// The bundle's identifier.
    public let id: String
    /// The version of the bundle.
    public let version: UInt64
    /// The title of the bundle; `nil` if it has none.
    public let title: String?
    /// The size of the bundle in bytes.
    public let byteCount: Int
    /// The number of references.
    public let referenceCount: Int
    /// The number of works.
    public let workCount: Int
    /// The number of references with custom data.
    public let customDataCount: Int
    /// The space that the store uses for the bundle, in bytes.
    public let storedByteCount: Int

    let creationMilliseconds: Int64
    let digestBytes: [UInt8]

    /// The time at which the bundle was created.
    public var creationDate: Date { Date(timeIntervalSince1970: Double(creationMilliseconds) / 1_000) }
    /// The SHA-256 digest that identifies the content of the bundle.
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
