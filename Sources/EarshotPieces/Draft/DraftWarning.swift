/// Something about a draft that is legal, and worth a look.
public struct DraftWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of warning.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The loop is not a whole number of beats within 1 %.
        case loopOffBeat
        /// The root is not one of the scale's own pitch classes.
        case rootOutsideScale
    }

    /// The kind of difference.
    public let code: Code
    /// The warning as text.
    public let reason: String

    /// The reason.
    public var description: String { reason }
}
