/// An entry that an export leaves out, and why.
public struct HistoryOmission: Hashable, Sendable, Codable {
    /// The reason why an entry is left out.
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// Artist or title are not known.
        case nameMissing
        /// It does not count as a listen, as ``ListenRule`` has it.
        case notHeard
        /// It is older than what the service takes.
        case tooOld
        /// It takes more room than the service gives it.
        case tooLarge
        /// The length of the track is not known, and the format asks for it.
        case lengthMissing
    }

    /// The number of the entry.
    public let id: Int
    /// The reason why it is left out.
    public let reason: Reason

    /// An entry that is left out.
    ///
    /// - Parameters:
    ///   - id: The number of the entry.
    ///   - reason: The reason.
    public init(id: Int, reason: Reason) {
        self.id = id
        self.reason = reason
    }
}
