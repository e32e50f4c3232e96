/// All faults of a draft.
public struct DraftErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every rule that the draft breaks, in order of its fields; at least one.
    public let violations: [DraftViolation]

    /// The reasons, one a line.
    public var description: String { violations.map(\.reason).joined(separator: "\n") }
}
