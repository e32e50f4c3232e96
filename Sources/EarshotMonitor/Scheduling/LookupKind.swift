/// The places that a lookup searches.
public enum LookupKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The fingerprint store only.
    case localOnly
    /// The fingerprint store, then the service if nothing is found.
    case localThenOnline
}

/// The event that started a lookup.
public enum LookupTrigger: String, Hashable, Sendable, Codable, CaseIterable {
    /// The monitor was started.
    case start
    /// The audio changed.
    case transition
    /// The app requested a lookup.
    case manual
    /// The online interval ran out.
    case onlineTimer
    /// The local interval ran out.
    case localTimer
}
