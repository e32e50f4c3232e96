public import EarshotCore

/// The metadata of a reference: properties under keys, all of them optional.
///
/// Values are those of a property list, and are checked when the item is created. Reals and dates are finite. Nesting
/// is at most 32 levels. Names have 1 to 128 characters. Predefined keys have a fixed type. The encoded item takes at
/// most 1 MiB.
public struct MediaItem: Hashable, Sendable {
    /// The largest encoded size of one item, in bytes.
    public static let maximumSize = 1 << 20

    /// All properties.
    public let properties: [MediaItemKey: PropertyValue]

    /// Creates an item without properties.
    public init() {
        properties = [:]
    }

    /// Creates an item from properties.
    ///
    /// - Throws: `mediaItemInvalid` with the path to a value that is not allowed, or if the item is larger than
    ///   ``maximumSize``.
    public init(properties: [MediaItemKey: PropertyValue]) throws(EarshotError) {
        try Self.validate(properties)
        self.properties = properties
    }

    /// Creates an item from a Foundation property list or a decoded JSON document.
    ///
    /// - Throws: `mediaItemInvalid` with the path to a value that a property list cannot hold or that is not allowed.
    public init(propertyList: [String: Any]) throws(EarshotError) {
        var properties: [MediaItemKey: PropertyValue] = [:]
        for (name, value) in propertyList.sorted(by: { $0.key < $1.key }) {
            properties[MediaItemKey(name)] = try PropertyValue.value(value, path: name)
        }
        try self.init(properties: properties)
    }

    /// Returns the value of a key; `nil` if there is none.
    public subscript(key: MediaItemKey) -> PropertyValue? { properties[key] }

    // MARK: - Bytes

    /// Appends the canonical form, as stored in catalog files.
    package func encode(to writer: inout ByteWriter) {
        let members = properties.map { ($0.key.rawValue, $0.value) }
        PropertyValue.encode(Dictionary(uniqueKeysWithValues: members), to: &writer)
    }

    /// Decodes an item; `nil` if the bytes are malformed or break a rule.
    package static func decode(from reader: inout ByteReader) -> MediaItem? {
        guard let members = PropertyValue.decodeMembers(from: &reader, depth: 0) else { return nil }
        let properties = members.map { (MediaItemKey($0.key), $0.value) }
        return try? MediaItem(properties: Dictionary(uniqueKeysWithValues: properties))
    }
}
