public import EarshotBroadcast
public import Foundation

/// A record of a bundle, as ``BundleReader`` returns it.
public enum BundleRecord: Hashable, Sendable {
    /// The header: the first record, and only once.
    case header(BundleHeader)
    /// A work; comes before the references that name it.
    case work(VideoWork)
    /// A reference with its custom data.
    case reference(BundleReference)
    /// The end: everything before was as it should be.
    case end(BundleSummary)
}

/// The counts, size and digest of a complete bundle.
public struct BundleSummary: Hashable, Sendable {
    /// The number of references.
    public var referenceCount = 0
    /// The number of works.
    public var workCount = 0
    /// The number of references with custom data.
    public var customDataCount = 0
    /// The number of records of unknown kinds.
    public var unknownCount = 0
    /// The size in bytes.
    public var byteCount = 0
    /// The SHA-256 of all bytes before the trailer: what the bundle is known by.
    public var digest = Data()
}
