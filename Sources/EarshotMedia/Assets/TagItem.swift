/// A format-specific item in the tags of a file that is neither a text property nor a picture, such as a private frame
/// of ID3v2.
public struct TagItem: Hashable, Sendable {
    /// The name of the item as in the file, for example `PRIV` or `----:org.example:thing`.
    public let name: String
    /// The bytes of the item as in the file.
    public let bytes: [UInt8]
    /// `true` if writing drops the item: ID3v2.4 has no replacement for a few frames of older versions.
    public let isObsolete: Bool

    package init(name: String, bytes: [UInt8], isObsolete: Bool) {
        (self.name, self.bytes, self.isObsolete) = (name, bytes, isObsolete)
    }
}
