/// All that is wrong with a draft.
public struct DraftErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every rule that it breaks, in the order of its fields: one at least.
    public let violations: [DraftViolation]

    /// The reasons, a line each.
    public var description: String { violations.map(\.reason).joined(separator: "\n") }
}
