/// A valid but unusual value in a draft.
public struct DraftWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of warning.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The loop differs by more than 1 % from a whole number of beats.
        case loopOffBeat
        /// The root is not one of the scale's pitch classes.
        case rootOutsideScale
    }

    /// The kind of warning.
    public let code: Code
    /// The warning as text.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
