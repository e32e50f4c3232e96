/// A code of a lower layer — an operating system, a codec library — as people read it.
///
/// Many such codes are four characters in one number, `fmt?` as 1,718,449,215; others are small negative numbers. FFmpeg's
/// have the characters in the other order, below zero.
public struct StatusCode: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: Int32

    /// A code.
    public init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The four characters where it is made of some that can be printed.
    public var fourCharacters: String? {
        let number = UInt32(bitPattern: rawValue)
        return Self.printable(number.byteSwapped) ?? (rawValue < 0 ? Self.printable(0 &- number) : nil)
    }

    /// The characters and the number, `'fmt?', 1718449215`, or the number alone, `-50`.
    public var description: String { fourCharacters.map { "'\($0)', \(rawValue)" } ?? "\(rawValue)" }

    /// The characters of a number, of which the lowest byte is the first.
    private static func printable(_ number: UInt32) -> String? {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
