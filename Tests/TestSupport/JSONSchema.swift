package import Foundation

/// A validator for the part of JSON Schema that the schemas of this project use.
///
/// Keywords that it does not know are reported, so that no rule is passed over.
package struct JSONSchema: Sendable {
    /// Any JSON.
    enum Value: Decodable, Hashable, Sendable {
        case null
        case truth(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .truth(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let values = try? container.decode([Value].self) {
                self = .list(values)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        subscript(_ name: String) -> Value? {
            guard case .object(let members) = self else { return nil }
            return members[name]
        }

        var texts: [String] {
            switch self {
            case .text(let text): [text]
            case .list(let values): values.flatMap(\.texts)
            default: []
            }
        }

        /// The names of the types that the value has.
        var types: Set<String> {
            switch self {
            case .null: ["null"]
            case .truth: ["boolean"]
            case .number(let number): number == number.rounded() ? ["number", "integer"] : ["number"]
            case .text: ["string"]
            case .list: ["array"]
            case .object: ["object"]
            }
        }
    }

    private let root: Value

    /// Reads a schema.
    package init(contentsOf url: URL) throws {
        root = try JSONDecoder().decode(Value.self, from: Data(contentsOf: url))
    }

    /// Checks a document against a definition of the schema.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - name: The name of the definition among `$defs`.
    /// - Returns: What is wrong, each with the place; empty for a valid document.
    package func faults(in text: String, as name: String) throws -> [String] {
        let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        guard let schema = root["$defs"]?[name] else { return ["there is no definition \(name)"] }
        return faults(value, schema, at: name)
    }

    private func faults(_ value: Value, _ schema: Value, at place: String) -> [String] {
        guard case .object(let rules) = schema else { return ["\(place): the schema is no object"] }
        return rules.sorted { $0.key < $1.key }.flatMap { rule, content in
            faults(value, rule, content, in: rules, at: place)
        }
    }

    private func faults(
        _ value: Value,
        _ rule: String,
        _ content: Value,
        in rules: [String: Value],
        at place: String
    ) -> [String] {
        switch rule {
        case "description", "title", "$schema", "$defs": return []
        case "$ref":
            guard let path = content.texts.first, path.hasPrefix("#/") else { return ["\(place): a bad reference"] }
            var target: Value? = root
            for name in path.dropFirst(2).split(separator: "/") { target = target?[String(name)] }
            return target.map { faults(value, $0, at: place) } ?? ["\(place): there is no \(path)"]
        case "type":
            let types = content.texts
            return value.types.isDisjoint(with: types) ? ["\(place): is no \(types.joined(separator: " or "))"] : []
        case "const": return value == content ? [] : ["\(place): is not \(content)"]
        case "enum":
            guard case .list(let values) = content, values.contains(value) else { return ["\(place): \(value)"] }
            return []
        case "minimum", "maximum":
            guard case .number(let limit) = content, case .number(let number) = value else { return [] }
            let fits = rule == "minimum" ? number >= limit : number <= limit
            return fits ? [] : ["\(place): \(number) is beyond the \(rule) \(limit)"]
        case "required":
            return content.texts.filter { value[$0] == nil }.map { "\(place): \($0) is missing" }
        case "properties":
            guard case .object(let members) = value else { return [] }
            return members.sorted { $0.key < $1.key }.flatMap { name, member in
                content[name].map { faults(member, $0, at: "\(place).\(name)") } ?? []
            }
        case "additionalProperties":
            guard content == .truth(false), case .object(let members) = value else { return [] }
            let unknown = members.keys.filter { rules["properties"]?[$0] == nil }
            return unknown.sorted().map { "\(place): \($0) is not described" }
        case "items":
            guard case .list(let values) = value else { return [] }
            return values.enumerated().flatMap { faults($1, content, at: "\(place)[\($0)]") }
        case "allOf", "anyOf", "oneOf":
            guard case .list(let schemas) = content else { return ["\(place): \(rule) is no list"] }
            let results = schemas.map { faults(value, $0, at: place) }
            if rule == "allOf" { return results.flatMap(\.self) }
            let count = results.count(where: \.isEmpty)
            return count == 1 || (rule == "anyOf" && count > 1) ? [] : ["\(place): \(count) of \(rule) fit"]
        default: return ["\(place): the validator does not know \(rule)"]
        }
    }
}
