public import EarshotCore

/// The credentials of a client of a service: an identifier and a secret tag, written
/// `12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345`.
///
/// The tag is a secret. ``description`` leaves it out, so that it does not get into logs.
public struct ClientIdentifier: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The public part of the identifier: 1 to 32 ASCII letters and digits. Services assign eight digits.
    public let id: String
    /// The secret part: up to 128 ASCII letters and digits. Services assign 32.
    public let tag: String

    /// Creates an identifier from its parts.
    ///
    /// - Throws: `configurationInvalid` if a part is empty, too long, or contains other characters than ASCII letters
    ///   and digits.
    public init(id: String, tag: String) throws(EarshotError) {
        guard Self.isPart(id, upTo: 32), Self.isPart(tag, upTo: 128) else { throw Self.malformed }
        self.id = id
        self.tag = tag
    }

    /// Parses an identifier of the form `ID-TAG`.
    ///
    /// - Throws: `configurationInvalid` if the text does not have that form.
    public init(_ text: String) throws(EarshotError) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Self.malformed }
        try self.init(id: String(parts[0]), tag: String(parts[1]))
    }

    /// Creates an identifier without a tag, for the client of a registered user: requests contain the user's own secret
    /// instead.
    ///
    /// - Throws: `configurationInvalid` if the text is empty, too long, or contains other characters than ASCII letters
    ///   and digits.
    package init(registered id: String) throws(EarshotError) {
        guard Self.isPart(id, upTo: 32) else { throw Self.malformed }
        self.id = id
        tag = ""
    }

    /// The identifier with its secret as text: `ID-TAG`, or the id alone if there is no tag.
    public var text: String { tag.isEmpty ? id : "\(id)-\(tag)" }

    /// The id followed by `-…`; the tag is left out.
    public var description: String { "\(id)-…" }
    /// The same text as ``description``, without the tag.
    public var debugDescription: String { description }
    /// The id only; the tag is left out.
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
