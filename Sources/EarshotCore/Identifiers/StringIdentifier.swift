/// A type that wraps a string with a meaning, such as the identifier of a reference or the key of a property.
///
/// A conforming type declares `rawValue` and its initializers. The protocol provides equality, order and hashing by
/// bytes, and encodes the value as its string. Initializers are declared in the types because a file that calls one
/// must import the module that declares it.
///
/// Bytes are compared, as in file systems and databases: an accent written as one character and the same accent written
/// as two make different identifiers, while `String` treats them as equal.
package protocol StringIdentifier: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension StringIdentifier {
    /// The text of the identifier.
    @inlinable
    public var description: String { rawValue }

    /// Orders identifiers by the bytes of their text, the same on every system and in every language.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    /// Returns `true` if the bytes of the texts are equal.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Returns `true` if the bytes of the texts differ. It is declared because the standard operator for raw values
    /// would compare characters.
    @inlinable
    public static func != (left: Self, right: Self) -> Bool { !(left == right) }

    /// Hashes the bytes of the text.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
