/// Whether a play goes on.
public enum PlayState: String, Hashable, Sendable, Codable, CaseIterable {
    /// It goes on: end and figures are those of the last look.
    case provisional
    /// It is over, and the record is complete.
    case final
}

/// Why a play ended.
public enum PlayEndReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was no longer heard.
    case ended
    /// Something else took its place.
    case replaced
    /// The stream was lost while it played.
    case streamLost
    /// The monitor was stopped, or ended by itself, while it played.
    case monitorStopped
}
