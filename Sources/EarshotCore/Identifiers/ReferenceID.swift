/// The name of a reference within its catalog.
///
/// The command uses the path of the file below the music folder; an app may use any text of 1 to 512 bytes. Two
/// references of one catalog never share it. Names are equal when their bytes are, as in a file system.
public struct ReferenceID: StringIdentifier, ExpressibleByStringLiteral {
    /// The text of the name.
    public let rawValue: String

    /// Creates the name of a reference from a text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the name of a reference from a text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the name of a reference from a literal.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }
}
