/// The state of a play.
public enum PlayState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The play is in progress: end and other values are provisional.
    case provisional
    /// The play has ended, and the record is complete.
    case final
}

/// The reason for the end of a play.
public enum PlayEndReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was no longer heard.
    case ended
    /// Another play took its place.
    case replaced
    /// The stream was lost while it played.
    case streamLost
    /// The monitor was stopped, or ended by itself, while it played.
    case monitorStopped
}
