/// Something that was mended in a record before it was kept.
public struct PlayNotice: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The member of the record, by its name.
    public var member: String
    /// What was wrong, and what was done.
    public var message: String

    /// A notice.
    ///
    /// - Parameters:
    ///   - member: The member of the record.
    ///   - message: What was wrong, and what was done.
    public init(member: String, message: String) {
        self.member = member
        self.message = message
    }

    /// Member and message.
    public var description: String { "\(member): \(message)" }
}

/// What came of looking a record over: a record that can be kept, or why it cannot. Nothing is thrown, so that one bad record
/// does not hold up the others.
public struct PlayCheck: Hashable, Sendable {
    /// The record as it is kept; `nil` if it is refused.
    public var record: PlayRecord?
    /// Why it is refused; `nil` if it is kept.
    public var refusal: String?
    /// What was mended.
    public var notices: [PlayNotice]
}
