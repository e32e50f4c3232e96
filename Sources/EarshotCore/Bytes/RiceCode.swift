/// Rice coding for numbers that are mostly small: the quotient by 2ⁿ in unary, then the remainder in n bits.
package enum RiceCode {
    /// A quotient that is not written out: as many zeros, then the number itself in 32 bits.
    package static let escape = 24

    /// Bits of a number.
    package static func cost(_ number: UInt32, parameter: Int) -> Int {
        let quotient = Int(number >> UInt32(parameter))
        return quotient < escape ? quotient + 1 + parameter : escape + 32
    }
}
