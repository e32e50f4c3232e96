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

    /// Reads the text.
    ///
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// The text.
    public var description: String { rawValue }

    /// Order by the bytes of the text, the same on every machine and in every language.
    public static func < (left: EntityID, right: EntityID) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}
