/// A number that is -1 where it is not known, and then left out when it is encoded: -1 is no number of a track.
@propertyWrapper
public struct KnownCount: Hashable, Sendable, Codable {
    /// The number; -1 where it is not known.
    public var wrappedValue: Int

    /// A number.
    public init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    /// Reads the number.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Int.self)
    }

    /// Writes the number.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

// What the compiler writes for a type with such properties calls these in the place of the general functions.

extension KeyedDecodingContainer {
    func decode(_ type: KnownCount.Type, forKey key: Key) throws -> KnownCount {
        try decodeIfPresent(type, forKey: key) ?? KnownCount(wrappedValue: -1)
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ value: KnownCount, forKey key: Key) throws {
        if value.wrappedValue >= 0 { try encode(value.wrappedValue, forKey: key) }
    }
}
