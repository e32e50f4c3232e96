public import EarshotBroadcast
public import Foundation

/// What a bundle holds, part by part, as ``BundleReader`` gives it.
public enum BundleRecord: Hashable, Sendable {
    /// What the bundle says of itself; comes first and once.
    case header(BundleHeader)
    /// A work; comes before the references that name it.
    case work(VideoWork)
    /// A reference with its custom data.
    case reference(BundleReference)
    /// The end: everything before was as it should be.
    case end(BundleSummary)
}

/// What a whole bundle came to.
public struct BundleSummary: Hashable, Sendable {
    /// The number of references.
    public var referenceCount = 0
    /// How many works.
    public var workCount = 0
    /// How many references have custom data.
    public var customDataCount = 0
    /// How many records it has of kinds that this program does not know.
    public var unknownCount = 0
    /// How long it is, in bytes.
    public var byteCount = 0
    /// The SHA-256 of all bytes before the trailer: what the bundle is known by.
    public var digest = Data()
}
