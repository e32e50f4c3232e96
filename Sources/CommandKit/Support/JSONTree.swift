/// Any JSON, read to be passed on or looked into.
package enum JSONTree: Codable, Sendable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .truth(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let values = try? container.decode([JSONTree].self) {
            self = .list(values)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .truth(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// A number of things.
    package static func count(_ count: Int) -> JSONTree { .number(Double(count)) }

    /// A member of an object.
    package func member(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// A number among the members of an object.
    package func number(_ name: String) -> Double? {
        guard case .object(let members) = self, case .number(let value) = members[name] else { return nil }
        return value
    }
}
