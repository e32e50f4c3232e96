/// The result of an ingest.
public struct IngestReport: Hashable, Sendable {
    /// The change of the store.
    public enum Outcome: Hashable, Sendable {
        /// The bundle is new.
        case added
        /// The bundle replaced an older version or a damaged one.
        case replaced(version: UInt64)
        /// The store already held the same bundle and is unchanged.
        case unchanged
        /// The store holds a newer version and is unchanged.
        case older(than: UInt64)
    }

    /// The change of the store.
    public let outcome: Outcome
    /// The bundle that the store now holds under the identifier.
    public let bundle: StoredBundle
    /// The number of bytes read.
    public let byteCount: Int
}
