/// Rice coding for numbers that are mostly small: the quotient by 2ⁿ in unary, then the remainder in n bits.
package enum RiceCode {
    /// The smallest quotient that is not written in unary: this number of zeros is written instead, then the whole
    /// number in 32 bits.
    package static let escape = 24

    /// Returns the number of bits that a number takes in the code.
    package static func cost(_ number: UInt32, parameter: Int) -> Int {
        let quotient = Int(number >> UInt32(parameter))
        return quotient < escape ? quotient + 1 + parameter : escape + 32
    }
}
