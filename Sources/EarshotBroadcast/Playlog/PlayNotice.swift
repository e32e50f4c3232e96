/// Something that was mended in a record before it was kept.
public struct PlayNotice: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The member of the record, by its name.
    public var member: String
    /// The fault and the correction.
    public var message: String

    /// A notice.
    ///
    /// - Parameters:
    ///   - member: The member of the record.
    ///   - message: The fault and the correction.
    public init(member: String, message: String) {
        self.member = member
        self.message = message
    }

    /// Member and message.
    public var description: String { "\(member): \(message)" }
}

/// The result of checking a record: the corrected record, or the reason for refusing it. Nothing is thrown, so that one
/// invalid record does not stop the others.
public struct PlayCheck: Hashable, Sendable {
    /// The corrected record; `nil` if it is refused.
    public var record: PlayRecord?
    /// The reason for refusing it; `nil` if it is accepted.
    public var refusal: String?
    /// The corrections.
    public var notices: [PlayNotice]
}
