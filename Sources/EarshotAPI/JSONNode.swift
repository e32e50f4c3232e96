/// A value of JSON of any form, such as the result of an analysis.
public enum JSONNode: Hashable, Sendable, Codable {
    /// Nothing.
    case null
    /// A truth value.
    case boolean(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([JSONNode])
    /// Members by name.
    case object([String: JSONNode])

    /// Reads any JSON.
    ///
    /// - Throws: `DecodingError` for what is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONNode].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    /// Writes the JSON.
    ///
    /// - Throws: What the encoder throws, as for a number that is none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .number(let value):
            // Whole numbers stay as they were written.
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The member of a name, of an object.
    public subscript(name: String) -> JSONNode? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The number; nothing for another value.
    public var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }
}
