/// The identifier of an artist, an album, a track or a picture: a text that apps may store and compare.
///
/// Identifiers of different kinds have different types and cannot be mixed up. Two are equal when their bytes are.
public struct EntityID<Entity>: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The text.
    public let rawValue: String

    /// An identifier of a text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An identifier of a text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// An identifier of a text.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The text.
    public var description: String { rawValue }

    /// Order by the bytes of the text, the same on every machine and in every language.
    public static func < (left: EntityID, right: EntityID) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    /// Equality of the bytes, in step with the order and with databases: an accent written as one character and the same
    /// accent written as two make different identifiers.
    public static func == (left: EntityID, right: EntityID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The opposite of `==`. It is spelled out because the standard one for raw values would compare characters.
    public static func != (left: EntityID, right: EntityID) -> Bool {
        !(left == right)
    }

    /// Feeds the bytes of the text to the hasher.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
