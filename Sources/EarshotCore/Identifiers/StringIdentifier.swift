/// A type that gives a string a meaning, such as the identifier of a reference or the key of a property.
///
/// A conforming type declares `rawValue` and its initializers; the protocol gives it equality, order and hashing by bytes,
/// and a coded form that is the string alone. Initializers stand in the types because a file that calls one must import
/// the module that declares it.
///
/// Bytes decide, as in file systems and databases: an accent written as one character and the same accent written as
/// two make different identifiers, while `String` takes them for equal.
package protocol StringIdentifier: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension StringIdentifier {
    /// The text.
    @inlinable
    public var description: String { rawValue }

    /// Order by the bytes of the text, the same on every machine and in every language.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    /// Equality of the bytes, in step with the order.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The opposite of `==`. It is spelled out because the standard one for raw values would compare characters.
    @inlinable
    public static func != (left: Self, right: Self) -> Bool { !(left == right) }

    /// Feeds the bytes of the text to the hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
