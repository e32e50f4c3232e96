import Earshot
import EarshotIngest

extension DurationWarning {
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
