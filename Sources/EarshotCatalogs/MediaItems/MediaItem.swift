public import EarshotCore

/// The metadata of a reference: properties under keys, all of them optional.
///
/// Values are those of a property list. They are checked when the item is made: reals and dates are finite, nesting is at
/// most 32 levels, names have 1 to 128 characters, predefined keys have their own type, and the whole takes at most 1 MiB.
public struct MediaItem: Hashable, Sendable {
    /// The largest encoded size of one item, in bytes.
    public static let maximumSize = 1 << 20

    /// All properties.
    public let properties: [MediaItemKey: PropertyValue]

    /// An item without properties.
    public init() {
        properties = [:]
    }

    /// An item of properties.
    ///
    /// - Throws: `mediaItemInvalid`, naming the path to the value, when one breaks a rule.
    public init(properties: [MediaItemKey: PropertyValue]) throws(EarshotError) {
        try Self.validate(properties)
        self.properties = properties
    }

    /// An item of a Foundation property list or a decoded JSON document.
    ///
    /// - Throws: `mediaItemInvalid`, with the path to the value, for a value that a property list cannot hold or that
    ///   breaks a rule.
    public init(propertyList: [String: Any]) throws(EarshotError) {
        var properties: [MediaItemKey: PropertyValue] = [:]
        for (name, value) in propertyList.sorted(by: { $0.key < $1.key }) {
            properties[MediaItemKey(name)] = try PropertyValue.value(value, path: name)
        }
        try self.init(properties: properties)
    }

    /// The value under a key, or nothing.
    public subscript(key: MediaItemKey) -> PropertyValue? { properties[key] }

    // MARK: - Bytes

    /// Adds the canonical form, as catalog files hold it.
    package func encode(to writer: inout ByteWriter) {
        let members = properties.map { ($0.key.rawValue, $0.value) }
        PropertyValue.encode(Dictionary(uniqueKeysWithValues: members), to: &writer)
    }

    /// Decodes an item; `nil` if the bytes are malformed.
    package static func decode(from reader: inout ByteReader) -> MediaItem? {
        guard let members = PropertyValue.decodeMembers(from: &reader, depth: 0) else { return nil }
        let properties = members.map { (MediaItemKey($0.key), $0.value) }
        return try? MediaItem(properties: Dictionary(uniqueKeysWithValues: properties))
    }
}
