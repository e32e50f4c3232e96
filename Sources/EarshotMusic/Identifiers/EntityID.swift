public import EarshotCore

/// The identifier of an artist, an album, a track or a picture: a text that apps may store and compare.
///
/// Identifiers of different kinds have different types and cannot be mixed up. Two are equal if their bytes are.
public struct EntityID<Entity>: StringIdentifier, ExpressibleByStringLiteral {
    /// The text of the identifier.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates an identifier from its text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates an identifier from its text.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }
}
