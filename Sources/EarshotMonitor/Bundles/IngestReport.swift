/// What an ingest came to.
public struct IngestReport: Hashable, Sendable {
    /// What became of the store.
    public enum Outcome: Hashable, Sendable {
        /// The bundle is new.
        case added
        /// The bundle took the place of an older version, or of one that was damaged.
        case replaced(version: UInt64)
        /// The store held the same bundle already; nothing was changed.
        case unchanged
        /// The store holds a newer version; nothing was changed.
        case older(than: UInt64)
    }

    /// What became of the store.
    public let outcome: Outcome
    /// What the store holds of that identifier now.
    public let bundle: StoredBundle
    /// How many bytes were read: those of the bundle given.
    public let byteCount: Int
}
