extension MediaTime: CustomStringConvertible {
    /// The time for display: `03:05`, `1:15:03` from one hour on, `-00:02` before zero, and `--:--` if it is not
    /// numeric. Fractions of a second are dropped.
    public var label: String {
        guard isNumeric else { return "--:--" }
        let total = value.magnitude / UInt64(timescale)
        let sign = value < 0 && total > 0 ? "-" : ""
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60)
        let tail = "\(Self.twoDigits(minutes)):\(Self.twoDigits(seconds))"
        return sign + (hours > 0 ? "\(hours):\(tail)" : tail)
    }

    private static func twoDigits(_ number: UInt64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// The value and timescale, such as `74/44100`, or the name of a time that is not numeric.
    public var description: String {
        switch state {
        case .numeric: "\(value)/\(timescale)"
        case .indefinite: "indefinite"
        case .positiveInfinity: "+infinity"
        case .negativeInfinity: "-infinity"
        case .invalid: "invalid"
        }
    }
}
