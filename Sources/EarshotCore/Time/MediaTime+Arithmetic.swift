extension MediaTime {
    /// Returns the sum of two times. The result has the least common multiple of their timescales if that fits into 32
    /// bits, otherwise the larger of the two, and is flagged as rounded if necessary.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        add(left, right)
    }

    /// Returns the difference of two times, under the rules of addition.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
        add(left, -right)
    }

    /// Returns the time with the opposite sign.
    public static prefix func - (time: MediaTime) -> MediaTime {
        switch time.state {
        case .numeric: make(-Int128(time.value), timescale: time.timescale, rounded: time.hasBeenRounded)
        case .positiveInfinity: .negativeInfinity
        case .negativeInfinity: .positiveInfinity
        case .indefinite, .invalid: time
        }
    }

    /// Adds a time in place.
    public static func += (left: inout MediaTime, right: MediaTime) {
        left = left + right
    }

    /// Subtracts a time in place.
    public static func -= (left: inout MediaTime, right: MediaTime) {
        left = left - right
    }

    /// Returns the time multiplied by an integer.
    public static func * (time: MediaTime, factor: Int64) -> MediaTime {
        switch time.state {
        case .numeric:
            return make(Int128(time.value) * Int128(factor), timescale: time.timescale, rounded: time.hasBeenRounded)
        case .positiveInfinity, .negativeInfinity:
            guard factor != 0 else { return .invalid }
            return factor < 0 ? -time : time
        case .indefinite, .invalid:
            return time
        }
    }

    private static func add(_ left: MediaTime, _ right: MediaTime) -> MediaTime {
        switch (left.state, right.state) {
        case (.numeric, .numeric): return addNumeric(left, right)
        case (.invalid, _), (_, .invalid): return .invalid
        case (.indefinite, _), (_, .indefinite): return .indefinite
        case (.numeric, _): return right
        case (_, .numeric): return left
        default: return left.state == right.state ? left : .invalid
        }
    }

    private static func addNumeric(_ left: MediaTime, _ right: MediaTime) -> MediaTime {
        let rounded = left.hasBeenRounded || right.hasBeenRounded
        guard left.timescale != right.timescale else {
            return make(Int128(left.value) + Int128(right.value), timescale: left.timescale, rounded: rounded)
        }
        let leftScale = Int128(left.timescale)
        let rightScale = Int128(right.timescale)
        let common = leftScale / greatestCommonDivisor(leftScale, rightScale) * rightScale
        // Below 2^64 · 2^31 · 2: far inside 128 bits.
        let sum = Int128(left.value) * (common / leftScale) + Int128(right.value) * (common / rightScale)
        if let scale = Int32(exactly: common), let value = Int64(exactly: sum) {
            return MediaTime(state: .numeric, value: value, timescale: scale, hasBeenRounded: rounded)
        }
        let scale = max(left.timescale, right.timescale)
        let (quotient, exact) = divide(
            sum * Int128(scale),
            by: common,
            rounding: .halfAwayFromZero,
            shrinking: true
        )
        return make(quotient, timescale: scale, rounded: rounded || !exact)
    }

    private static func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
        var (a, b) = (first, second)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
