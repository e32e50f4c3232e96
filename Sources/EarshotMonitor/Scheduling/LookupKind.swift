/// Where a lookup looks.
public enum LookupKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// In the fingerprint store only.
    case localOnly
    /// In the fingerprint store, and online when nothing is found there.
    case localThenOnline
}

/// What caused a lookup.
public enum LookupTrigger: String, Hashable, Sendable, Codable, CaseIterable {
    /// The monitor was started.
    case start
    /// The audio changed.
    case transition
    /// Somebody asked.
    case manual
    /// The online interval ran out.
    case onlineTimer
    /// The local interval ran out.
    case localTimer
}
