package import Earshot

/// A file whose audio is not as long as the file declares.
public struct DurationWarning: Sendable, Encodable {
    /// The path of the file.
    public let file: String
    /// The duration that the file declares, in seconds.
    public let declaredSeconds: Double
    /// The length of its audio, in seconds.
    public let measuredSeconds: Double

    /// - Returns: `nil` without a mismatch.
    package init?(_ file: String, _ mismatch: DurationMismatch?) {
        guard let mismatch else { return nil }
        self.file = file
        declaredSeconds = mismatch.declared.seconds
        measuredSeconds = mismatch.measured.seconds
    }
}
