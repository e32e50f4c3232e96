extension MediaTime {
    /// Returns this time as a fraction of a duration: 0 at its beginning, 1 at its end.
    ///
    /// Timescales may differ. The result is not limited to 0...1.
    ///
    /// - Parameter whole: The duration that counts as 1.
    /// - Returns: The fraction; `nil` if the duration is zero, or a time is not numeric.
    public func fraction(of whole: MediaTime) -> Double? {
        guard isNumeric, whole.isNumeric, whole.value != 0 else { return nil }
        return Double(Int128(value) * Int128(whole.timescale)) / Double(Int128(whole.value) * Int128(timescale))
    }

    /// Returns this time multiplied by a fraction, in its own timescale: the inverse of ``fraction(of:)``.
    ///
    /// The product is computed exactly and rounded once, halves away from zero: fraction 0 gives zero, and fraction 1
    /// this time, however long it is. A fraction that is not finite gives ``invalid``; a product that does not fit, an
    /// infinity. Times that are not numeric are returned unchanged.
    ///
    /// - Parameter fraction: The factor, commonly 0...1.
    public func scaled(byFraction fraction: Double) -> MediaTime {
        guard isNumeric else { return self }
        guard fraction.isFinite else { return .invalid }
        guard fraction != 0, value != 0 else {
            return MediaTime(state: .numeric, value: 0, timescale: timescale, hasBeenRounded: hasBeenRounded)
        }
        // The fraction as a whole number of 53 bits times a power of two: the product has at most 117 bits.
        let exponent = Int(fraction.exponent) - Double.significandBitCount
        let digits = Int128(fraction.significand * 0x1p52) * (fraction < 0 ? -1 : 1)
        let product = Int128(value) * digits
        guard exponent < 0 else {
            let (shifted, overflow) = product.multipliedReportingOverflow(by: Int128(1) << min(exponent, 126))
            guard !overflow else { return product < 0 ? .negativeInfinity : .positiveInfinity }
            return Self.make(shifted, timescale: timescale, rounded: hasBeenRounded)
        }
        // Below 2^-126 of it, nothing is left.
        let divisor = Int128(1) << min(-exponent, 126)
        let (quotient, exact) = Self.divide(product, by: divisor, rounding: .halfAwayFromZero, shrinking: true)
        return Self.make(quotient, timescale: timescale, rounded: hasBeenRounded || !exact)
    }
}
