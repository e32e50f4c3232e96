package import EarshotCatalogs
import Foundation

/// A property-list value as JSON: dates as ISO 8601 text, data as Base64.
package struct JSONValue: Encodable, Sendable {
    package let value: PropertyValue

    package init(_ value: PropertyValue) { self.value = value }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .date(let value): try container.encode(value.formatted(.iso8601))
        case .data(let value): try container.encode(value.base64EncodedString())
        case .array(let values): try container.encode(values.map(JSONValue.init))
        case .dictionary(let members): try container.encode(members.mapValues(JSONValue.init))
        }
    }

    package static func object(_ item: MediaItem) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: item.properties.map { ($0.key.rawValue, JSONValue($0.value)) })
    }
}
