/// An item of the tags of a file that is neither a property nor a picture, such as a private frame.
public struct TagItem: Hashable, Sendable {
    /// The name as the format spells it, for example `PRIV` or `----:org.example:thing`.
    public let name: String
    /// The content.
    public let bytes: [UInt8]
    /// `true` if writing drops the item: ID3v2.4 has no replacement for a few frames of older versions.
    public let isObsolete: Bool

    package init(name: String, bytes: [UInt8], isObsolete: Bool) {
        (self.name, self.bytes, self.isObsolete) = (name, bytes, isObsolete)
    }
}
