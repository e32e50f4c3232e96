package import Earshot
import Foundation

/// A file whose sound is not as long as the file declares.
package struct DurationWarning: Sendable, Encodable {
    package let file: String
    package let declaredSeconds: Double
    package let measuredSeconds: Double

    /// - Returns: `nil` without a mismatch.
    package init?(_ file: String, _ mismatch: DurationMismatch?) {
        guard let mismatch else { return nil }
        self.file = file
        declaredSeconds = mismatch.declared.seconds
        measuredSeconds = mismatch.measured.seconds
    }

    /// The sentence for standard error.
    package var message: String {
        func length(_ seconds: Double) -> String {
            DisplayText.position(MediaTime(seconds: seconds, preferredTimescale: 1_000))
        }
        let difference = measuredSeconds - declaredSeconds
        return
            "Warning: \(Terminal.shown(file)) declares a duration of \(length(declaredSeconds)), but its sound lasts "
            + "\(length(measuredSeconds)) (\(length(abs(difference))) \(difference < 0 ? "shorter" : "longer")). "
            + "The length of the sound is used."
    }
}
