/// Positions as they are shown.
public enum PositionText {
    /// A position as hours, minutes and seconds of two digits each, cut to whole seconds: `01:02:03`. Empty for no position,
    /// with a sign for one before the begin.
    ///
    /// - Parameter milliseconds: The position.
    public static func clock(_ milliseconds: Int?) -> String {
        guard let milliseconds else { return "" }
        let seconds = milliseconds.magnitude / 1_000
        func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let sign = milliseconds <= -1_000 ? "-" : ""
        return sign + "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
