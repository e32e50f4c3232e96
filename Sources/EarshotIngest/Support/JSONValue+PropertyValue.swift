package import EarshotCatalogs
package import EarshotCore
import Foundation

extension JSONValue {
    /// Creates JSON from a property-list value: dates as ISO 8601 text, data as Base64.
    package init(_ value: PropertyValue) {
        switch value {
        case .string(let value): self = .string(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .number(value)
        case .boolean(let value): self = .boolean(value)
        case .date(let value): self = .string(value.formatted(.iso8601))
        case .data(let value): self = .string(value.base64EncodedString())
        case .array(let values): self = .array(values.map(JSONValue.init))
        case .dictionary(let members): self = .object(members.mapValues(JSONValue.init))
        }
    }

    /// Returns the members of a media item.
    package static func object(_ item: MediaItem) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: item.properties.map { ($0.key.rawValue, JSONValue($0.value)) })
    }
}
