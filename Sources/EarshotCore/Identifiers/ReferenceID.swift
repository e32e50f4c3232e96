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

    /// Equality of the bytes, in step with the order: an accent written as one character and the same accent written as
    /// two make different names, as they do in a file system.
    public static func == (left: ReferenceID, right: ReferenceID) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// The opposite of `==`. It is spelled out because the standard one for raw values would compare characters.
    public static func != (left: ReferenceID, right: ReferenceID) -> Bool {
        !(left == right)
    }

    /// Feeds the bytes of the name to the hasher.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
