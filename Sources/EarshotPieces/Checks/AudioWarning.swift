/// Something that the sound of a piece is otherwise than its draft says: legal, and worth a look.
public struct AudioWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of difference between audio and draft.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The sound is longer or shorter than declared by more than 50 ms.
        case lengthDiffers
        /// The level jumps where the loop begins again.
        case seamLevel
        /// The wave jumps where the loop begins again: a click is heard.
        case seamPhase
        /// Another tempo is heard.
        case tempoDiffers
        /// Another key is heard.
        case keyDiffers
    }

    /// What it is.
    public let code: Code
    /// What was declared, in the unit of its field: seconds, beats a minute, or the label of a key.
    public let declared: String
    /// What was measured, in the same unit; decibels for the level of a seam, and the jump as a part of full scale for its wave.
    public let measured: String
    /// What was found, in words, and what to do.
    public let reason: String

    /// A warning.
    public init(code: Code, declared: String, measured: String, reason: String) {
        self.code = code
        self.declared = declared
        self.measured = measured
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
