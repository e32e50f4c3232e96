/// A difference between the audio of a piece and its draft, which does not prevent publication.
public struct AudioWarning: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of difference between audio and draft.
    public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
        /// The audio is longer or shorter than declared by more than 50 ms.
        case lengthDiffers
        /// The level jumps at the seam of the loop.
        case seamLevel
        /// The wave jumps at the seam of the loop, which is heard as a click.
        case seamPhase
        /// The detected tempo differs.
        case tempoDiffers
        /// The detected key differs.
        case keyDiffers
    }

    /// The kind of difference.
    public let code: Code
    /// The declared value, in the unit of its field: seconds, beats a minute, or the label of a key.
    public let declared: String
    /// The measured value in the same unit. For the level of a seam it is in decibels, for the wave of a seam in full
    /// scales.
    public let measured: String
    /// The difference and the remedy, as text.
    public let reason: String

    /// Creates a warning.
    public init(code: Code, declared: String, measured: String, reason: String) {
        self.code = code
        self.declared = declared
        self.measured = measured
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
