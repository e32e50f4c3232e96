/// A status code of an operating system or a codec library, in readable form.
///
/// Many such codes are four characters in one number, `fmt?` as 1,718,449,215; others are small negative numbers.
/// FFmpeg's codes have the characters in the other order, negated.
public struct StatusCode: Hashable, Sendable, CustomStringConvertible {
    /// The code as a number.
    public let rawValue: Int32

    /// Creates a status code from a number.
    public init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The four characters that the code consists of; `nil` if they are not all printable.
    public var fourCharacters: String? {
        let number = UInt32(bitPattern: rawValue)
        return Self.printable(number.byteSwapped) ?? (rawValue < 0 ? Self.printable(0 &- number) : nil)
    }

    /// The characters and the number, such as `'fmt?', 1718449215`, or the number alone, such as `-50`.
    public var description: String { fourCharacters.map { "'\($0)', \(rawValue)" } ?? "\(rawValue)" }

    /// The characters of a number, of which the lowest byte is the first.
    private static func printable(_ number: UInt32) -> String? {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
