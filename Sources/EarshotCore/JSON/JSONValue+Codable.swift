extension JSONValue: Codable {
    /// The number of levels to which arrays and objects may be nested in a decoded document.
    package static let maximumDepth = 64

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Decodes any JSON.
    ///
    /// - Throws: `DecodingError` for a value nested deeper than 64 levels, and for invalid JSON.
    public init(from decoder: any Decoder) throws {
        // The value may come from anyone, and each level takes a part of the stack.
        guard decoder.codingPath.count <= Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The value is nested deeper than 64 levels.")
            )
        }
        // Containers come first: an error inside one must not be taken for a value of another kind.
        if let container = try? decoder.container(keyedBy: Name.self) {
            var members: [String: JSONValue] = [:]
            for name in container.allKeys {
                members[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        return .number(try container.decode(Double.self))
    }

    /// Encodes the value.
    ///
    /// - Throws: The encoder's errors, for example for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
