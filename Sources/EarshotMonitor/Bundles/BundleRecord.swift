public import EarshotBroadcast
public import Foundation

/// A record of a bundle, as ``BundleReader`` returns it.
public enum BundleRecord: Hashable, Sendable {
    /// The header, which is always the first record.
    case header(BundleHeader)
    /// A work, which comes before the references that name it.
    case work(VideoWork)
    /// A reference with its custom data.
    case reference(BundleReference)
    /// The end of the bundle. All records before it are valid.
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
    /// The SHA-256 digest of all bytes before the trailer, which identifies the content of the bundle.
    public var digest = Data()
}
