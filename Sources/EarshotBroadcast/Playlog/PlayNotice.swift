/// A correction that was made to a record before it was stored.
public struct PlayNotice: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the record's member.
    public var member: String
    /// The fault and the correction.
    public var message: String

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - member: The name of the record's member.
    ///   - message: The fault and the correction.
    public init(member: String, message: String) {
        self.member = member
        self.message = message
    }

    /// The member and the message.
    public var description: String { "\(member): \(message)" }
}

/// The result of checking a record: the corrected record, or the reason for refusing it. Checking does not throw, so
/// that one invalid record does not stop the others.
public struct PlayCheck: Hashable, Sendable {
    /// The corrected record; `nil` if it is refused.
    public var record: PlayRecord?
    /// The reason for refusing it; `nil` if it is accepted.
    public var refusal: String?
    /// The corrections.
    public var notices: [PlayNotice]
}
