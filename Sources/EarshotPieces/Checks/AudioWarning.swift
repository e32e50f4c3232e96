/// A difference between the audio of a piece and its draft: allowed, but worth a look.
public struct AudioWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of difference between audio and draft.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The audio is longer or shorter than declared by more than 50 ms.
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

    /// The kind of difference.
    public let code: Code
    /// The declared value, in the unit of its field: seconds, beats a minute, or the label of a key.
    public let declared: String
    /// The measured value, in the same unit; decibels for the level of a seam, and a part of full scale for the jump of
    /// its wave.
    public let measured: String
    /// The difference and the remedy, as text.
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
