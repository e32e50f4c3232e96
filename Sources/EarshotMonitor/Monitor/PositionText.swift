/// Formatting of playback positions.
public enum PositionText {
    /// Formats a position as hours, minutes and seconds of two digits each, truncated to seconds: `01:02:03`. Empty for `nil`,
    /// with a minus sign for a position before the start.
    ///
    /// - Parameter milliseconds: The position in milliseconds.
    public static func clock(_ milliseconds: Int?) -> String {
        guard let milliseconds else { return "" }
        let seconds = milliseconds.magnitude / 1_000
        func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let sign = milliseconds <= -1_000 ? "-" : ""
        return sign + "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
