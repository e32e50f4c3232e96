/// The places that a lookup searches.
public enum LookupKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the fingerprint store only.
    case localOnly
    /// In the fingerprint store, and online when nothing is found there.
    case localThenOnline
}

/// The event that started a lookup.
public enum LookupTrigger: String, Hashable, Sendable, Codable, CaseIterable {
    /// The monitor was started.
    case start
    /// The audio changed.
    case transition
    /// The app asked.
    case manual
    /// The online interval ran out.
    case onlineTimer
    /// The local interval ran out.
    case localTimer
}
