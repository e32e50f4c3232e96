/// An entry that is left out of an export, and the reason.
public struct HistoryOmission: Hashable, Sendable, Codable {
    /// The reason why an entry is left out.
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// The artist or the title is not known.
        case nameMissing
        /// The entry does not count as a listen according to ``ListenRule``.
        case notHeard
        /// The entry is older than the service accepts.
        case tooOld
        /// The entry is larger than the service accepts.
        case tooLarge
        /// The duration of the track is not known, and the format requires it.
        case lengthMissing
    }

    /// The number of the entry.
    public let id: Int
    /// The reason why it is left out.
    public let reason: Reason

    /// Creates the description of an omission.
    ///
    /// - Parameters:
    ///   - id: The number of the entry.
    ///   - reason: The reason why it is left out.
    public init(id: Int, reason: Reason) {
        self.id = id
        self.reason = reason
    }
}
