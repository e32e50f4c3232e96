extension MediaTime {
    /// The rounding of a time that falls between two units of the new timescale.
    public enum Rounding: CaseIterable, Sendable {
        /// To the nearest unit; halves away from zero.
        case halfAwayFromZero
        /// To the unit nearer to zero.
        case towardZero
        /// To the unit further from zero.
        case awayFromZero
        /// To the later unit.
        case towardPositiveInfinity
        /// To the earlier unit.
        case towardNegativeInfinity
        /// Toward zero if the new timescale is smaller, away from zero if it is larger; a negative time never becomes
        /// zero. For compatibility with files of an older media framework.
        case legacy
    }

    /// Returns the same time in units of another timescale.
    ///
    /// The intermediate product has 128 bits, so only the result can overflow; it then becomes an infinity of the right
    /// sign. A timescale below 1 gives ``invalid``. Times that are not numeric are returned unchanged.
    ///
    /// - Parameters:
    ///   - newTimescale: The number of units in a second of the result.
    ///   - rounding: The rounding of a time between two units.
    public func converted(toTimescale newTimescale: Int32, rounding: Rounding = .halfAwayFromZero) -> MediaTime {
        guard newTimescale >= 1 else { return .invalid }
        guard isNumeric else { return self }
        guard newTimescale != timescale else { return self }
        let (quotient, exact) = Self.divide(
            Int128(value) * Int128(newTimescale),
            by: Int128(timescale),
            rounding: rounding,
            shrinking: newTimescale < timescale
        )
        return Self.make(quotient, timescale: newTimescale, rounded: hasBeenRounded || !exact)
    }

    static func divide(
        _ dividend: Int128,
        by divisor: Int128,
        rounding: Rounding,
        shrinking: Bool
    ) -> (quotient: Int128, exact: Bool) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        guard remainder != 0 else { return (quotient, true) }
        let sign: Int128 = dividend < 0 ? -1 : 1
        let away = quotient + sign
        let result =
            switch rounding {
            case .towardZero: quotient
            case .awayFromZero: away
            case .towardPositiveInfinity: sign > 0 ? away : quotient
            case .towardNegativeInfinity: sign < 0 ? away : quotient
            case .halfAwayFromZero: remainder.magnitude * 2 >= divisor.magnitude ? away : quotient
            case .legacy: !shrinking || (sign < 0 && quotient == 0) ? away : quotient
            }
        return (result, false)
    }

    /// A numeric time when the value fits, otherwise an infinity.
    static func make(_ value: Int128, timescale: Int32, rounded: Bool) -> MediaTime {
        guard let narrow = Int64(exactly: value) else { return value < 0 ? .negativeInfinity : .positiveInfinity }
        return MediaTime(state: .numeric, value: narrow, timescale: timescale, hasBeenRounded: rounded)
    }
}
