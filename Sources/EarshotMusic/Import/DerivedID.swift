import EarshotCore
package import Foundation

/// Identifiers derived from names, for sources that have none of their own: the same on every machine and in
/// every run, so that a repeated import replaces what it made before.
///
/// Letter case, widths and the number of spaces do not count. Everything else does, punctuation and accents too: two tracks
/// that differ in nothing else are two.
package enum DerivedID {
    /// Returns the identifier for a kind of entity and the texts that name it; `nil` counts as an empty text.
    package static func text(_ kind: String, _ parts: [String?]) -> String {
        // Parts end with a byte that UTF-8 never has: "a", "bc" is not "ab", "c".
        kind + "-" + hash(parts.map { Array(form($0 ?? "").utf8) + [0xFF] }.joined())
    }

    /// Returns the identifier for a kind of entity and its bytes.
    package static func text(_ kind: String, bytes: Data) -> String { kind + "-" + hash(bytes) }

    /// Returns `true` if two texts give the same identifier.
    static func isSame(_ left: String, _ right: String) -> Bool {
        left == right || form(left).utf8.elementsEqual(form(right).utf8)
    }

    private static func form(_ text: String) -> String {
        text.precomposedStringWithCompatibilityMapping.lowercased()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// FNV-1a of 128 bits, in hexadecimal digits: short, and the same for ever.
    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for byte in bytes {
            value ^= UInt128(byte)
            value &*= 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        return value.hexadecimal
    }
}
