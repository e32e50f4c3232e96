public import EarshotCore

/// The credentials of a client of a service: an identifier and a secret tag, written
/// `12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345`.
///
/// The tag is a secret. ``description`` leaves it out, so that it does not get into logs.
public struct ClientIdentifier: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The id: digits and letters. A service gives out eight digits.
    public let id: String
    /// The secret: digits and letters. A service gives out 32 of them.
    public let tag: String

    /// An identifier of its parts.
    ///
    /// - Throws: `configurationInvalid` for parts of other characters, empty ones and too long ones.
    public init(id: String, tag: String) throws(EarshotError) {
        guard Self.isPart(id, upTo: 32), Self.isPart(tag, upTo: 128) else { throw Self.malformed }
        self.id = id
        self.tag = tag
    }

    /// Parses an identifier.
    ///
    /// - Throws: `configurationInvalid` when it has not the form of one.
    public init(_ text: String) throws(EarshotError) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Self.malformed }
        try self.init(id: String(parts[0]), tag: String(parts[1]))
    }

    /// The id of a client of which a user is registered: the user's own secret is shown in place of the tag.
    ///
    /// - Throws: `configurationInvalid` for other characters.
    package init(registered id: String) throws(EarshotError) {
        guard Self.isPart(id, upTo: 32) else { throw Self.malformed }
        self.id = id
        tag = ""
    }

    /// The identifier with its secret as text.
    public var text: String { tag.isEmpty ? id : "\(id)-\(tag)" }

    /// The id; the tag is left out.
    public var description: String { "\(id)-…" }
    /// The id; the tag is left out.
    public var debugDescription: String { description }
    /// The id; the tag is left out.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }

    private static func isPart(_ text: String, upTo limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
    }

    /// The text is not repeated: a slip in an identifier still shows most of its secret.
    private static var malformed: EarshotError {
        EarshotError(
            .configurationInvalid,
            "The client identifier has not the form ID-TAG of digits and letters, as 12345678-ABC…: use it as the operator gave it."
        )
    }
}
