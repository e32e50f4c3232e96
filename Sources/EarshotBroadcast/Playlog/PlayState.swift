/// The state of a play.
public enum PlayState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The play is in progress: end and figures are provisional.
    case provisional
    /// It is over, and the record is complete.
    case final
}

/// The reason for the end of a play.
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
