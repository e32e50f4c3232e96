import EarshotCore

/// Makes sure that a compressed fingerprint is whole before Chromaprint's decoder gets it.
///
/// The decoder of version 1.5.1 trusts its input: where anything follows the last sub-fingerprint it writes beyond its own
/// memory, and bits beyond the thirty-second are shifted out of a number. So the text is read here once up to its exact end,
/// and everything that a writer would not write is refused.
///
/// Behind a header of four bytes, with the algorithm and the number of sub-fingerprints, stand numbers of three bits, lowest
/// bit first: for each bit in which a sub-fingerprint differs from the one before it how far it lies behind the last such
/// bit, and 0 at the end of each. A 7 is made larger by a number of five bits; these follow, from the next whole byte on.
struct FingerprintTextCheck {
    /// The longest text: 33 numbers of 3 bits and up to 4 more of 5 bits for each sub-fingerprint are under 15 bytes.
    private static let mostCharacters = 6 + FileFingerprint.maximumCount * 20

    private let bytes: [UInt8]

    /// - Parameter characters: The text, without padding.
    /// - Throws: `signatureInvalid` when it is no base64 or has too many characters.
    init(_ characters: [UInt8]) throws(EarshotError) {
        guard characters.count >= 6 else { throw Self.unreadable("it has \(characters.count) characters") }
        guard characters.count <= Self.mostCharacters else { throw FileFingerprint.tooLong(characters.count / 20) }
        // Of four characters with six bits each come three bytes; one character alone is none.
        guard characters.count % 4 != 1 else { throw Self.unreadable("its last character stands alone") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var held: UInt32 = 0
        for (index, character) in characters.enumerated() {
            guard let sextet = Self.sextet(character) else {
                throw Self.unreadable("character \(index + 1) is none of A-Z, a-z, 0-9, - and _")
            }
            held = held << 6 | UInt32(sextet)
            // A byte is complete with every character but the first of four.
            if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: held >> (6 - 2 * UInt32(index % 4)))) }
        }
        self.bytes = bytes
    }

    /// Reads the header and the numbers behind it.
    ///
    /// - Throws: `signatureInvalid`, saying what is wrong.
    func run() throws(EarshotError) {
        guard FileFingerprint.Algorithm(rawValue: Int(bytes[0])) != nil else { throw Self.unknown(Int(bytes[0])) }
        let count = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
        guard count > 0 else { throw Self.unreadable("it announces no sub-fingerprints") }
        guard count <= FileFingerprint.maximumCount else { throw FileFingerprint.tooLong(count) }
        guard let (numbers, exceptions) = counts(upTo: count) else {
            throw Self.unreadable("it announces \(count) sub-fingerprints and is too short for them")
        }
        let start = 4 + (numbers * 3 + 7) / 8
        let length = start + (exceptions * 5 + 7) / 8
        guard bytes.count >= length else { throw Self.unreadable("it is cut short") }
        guard bytes.count == length else { throw Self.unreadable("something follows its end") }
        guard hasFittingBits(numbers, exceptionsAt: start) else {
            throw Self.unreadable("a sub-fingerprint has more than 32 bits")
        }
    }

    /// The number of numbers of three bits, and how many of them are 7; `nil` if they do not suffice.
    private func counts(upTo count: Int) -> (numbers: Int, exceptions: Int)? {
        let available = (bytes.count - 4) * 8 / 3
        guard count <= available else { return nil }
        var (ends, exceptions) = (0, 0)
        for index in 0..<available {
            let number = number(at: 4, bit: index * 3, bits: 3)
            if number == 0 { ends += 1 } else if number == 7 { exceptions += 1 }
            if ends == count { return (index + 1, exceptions) }
        }
        return nil
    }

    private func hasFittingBits(_ numbers: Int, exceptionsAt start: Int) -> Bool {
        var (bit, exception) = (0, 0)
        for index in 0..<numbers {
            let number = number(at: 4, bit: index * 3, bits: 3)
            bit = number == 0 ? 0 : bit + number
            if number == 7 {
                bit += self.number(at: start, bit: exception * 5, bits: 5)
                exception += 1
            }
            if bit > 32 { return false }
        }
        return true
    }

    /// A number of up to eight bits, lowest bit first.
    private func number(at start: Int, bit: Int, bits: Int) -> Int {
        let place = start + bit / 8
        let low = Int(bytes[place])
        let high = place + 1 < bytes.count ? Int(bytes[place + 1]) : 0
        return (high << 8 | low) >> (bit % 8) & (1 << bits - 1)
    }

    private static func sextet(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }

    static func unreadable(_ reason: String) -> EarshotError {
        EarshotError(
            .signatureInvalid,
            "The text is no fingerprint (\(reason)): give what fpcalc writes behind FINGERPRINT=."
        )
    }

    private static func unknown(_ algorithm: Int) -> EarshotError {
        EarshotError(
            .signatureInvalid,
            "The fingerprint was made with algorithm \(algorithm), which is not known: make it with one of 0 to 4."
        )
    }
}
