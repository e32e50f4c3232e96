/// The name of a reference within its catalog.
///
/// The command uses the path of the file below the music folder; an app may use any text of 1 to 512 bytes. Two
/// references of one catalog never share it.
public struct ReferenceID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The name.
    public let rawValue: String

    /// A reference's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A reference's name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// A reference's name.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The name.
    public var description: String { rawValue }

    /// Order by the bytes of the name, the same on every machine and in every language.
    public static func < (left: ReferenceID, right: ReferenceID) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}
