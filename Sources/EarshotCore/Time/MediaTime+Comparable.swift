extension MediaTime: Comparable {
    /// Returns `true` if two times are exactly equal, in any timescales: 147 at 44,100 equals 2 at 600. The rounding
    /// flag is ignored.
    public static func == (left: MediaTime, right: MediaTime) -> Bool {
        guard left.isNumeric, right.isNumeric else { return left.state == right.state }
        return Int128(left.value) * Int128(right.timescale) == Int128(right.value) * Int128(left.timescale)
    }

    /// Compares two times exactly, in any timescales. Order: −∞, numbers, +∞, indefinite, invalid.
    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        guard left.isNumeric, right.isNumeric else { return left.order < right.order }
        return Int128(left.value) * Int128(right.timescale) < Int128(right.value) * Int128(left.timescale)
    }

    private var order: Int {
        switch state {
        case .negativeInfinity: 0
        case .numeric: 1
        case .positiveInfinity: 2
        case .indefinite: 3
        case .invalid: 4
        }
    }
}

extension MediaTime: Hashable {
    /// Hashes the reduced fraction, so that equal times in different timescales have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        guard isNumeric else { return }
        var (a, b) = (value.magnitude, UInt64(timescale))
        while b != 0 { (a, b) = (b, a % b) }
        hasher.combine(value / Int64(a))
        hasher.combine(Int64(timescale) / Int64(a))
    }
}
