/// Checks that bytes, given one by one, are valid UTF-8 (Unicode 17, table 3-7).
package struct UTF8Validator: Sendable {
    /// Bytes of the present character that are still to come, and what the next of them may be.
    private var missing = 0
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Creates a validator at the beginning of a text.
    package init() {}

    /// `true` if the text may end after the bytes so far.
    package var isComplete: Bool { missing == 0 }

    /// Checks the next byte.
    ///
    /// - Returns: `true` if the bytes so far are the beginning of valid UTF-8.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard next.contains(byte) else { return false }
            (missing, next) = (missing - 1, 0x80...0xBF)
            return true
        }
        switch byte {
        case 0...0x7F: return true
        case 0xC2...0xDF: (missing, next) = (1, 0x80...0xBF)
        // Overlong forms, surrogates and what lies beyond Unicode show in the second byte.
        case 0xE0: (missing, next) = (2, 0xA0...0xBF)
        case 0xED: (missing, next) = (2, 0x80...0x9F)
        case 0xE1...0xEF: (missing, next) = (2, 0x80...0xBF)
        case 0xF0: (missing, next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (missing, next) = (3, 0x80...0xBF)
        case 0xF4: (missing, next) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
