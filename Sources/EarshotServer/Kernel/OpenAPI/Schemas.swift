import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition

/// The JSON Schemas of the OpenAPI description.
enum Schemas {
    /// Returns a reference to the schema with a name.
    static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    /// Returns the schema of a list whose elements have the schema with a name.
    static func list(_ name: String) -> JSONValue { ["type": "array", "items": reference(name)] }

    static let flag: JSONValue = ["type": "string", "enum": ["0", "1", "true", "false"]]
    static let text: JSONValue = ["type": "string"]
    static let number: JSONValue = ["type": "number"]
    static let integer: JSONValue = ["type": "integer"]
    static let truth: JSONValue = ["type": "boolean"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]

    /// Returns the parameters `offset` and `limit` of a page of a list.
    static func page(limit: Int, default standard: Int) -> [Endpoint.Parameter] {
        [
            Endpoint.Parameter(
                name: "offset",
                schema: ["type": "integer", "minimum": 0, "maximum": 10_000, "default": 0],
                summary: "Leave out so many of the first."
            ),
            Endpoint.Parameter(
                name: "limit",
                schema: ["type": "integer", "minimum": 1, "maximum": .integer(limit), "default": .integer(standard)],
                summary: "How many, at most."
            ),
        ]
    }

    /// Returns the schema of an object. Members whose name ends with a question mark are optional.
    static func object(_ members: [(String, JSONValue)], isClosed: Bool = false) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        var required: [JSONValue] = []
        for (name, schema) in members {
            let isOptional = name.hasSuffix("?")
            let name = isOptional ? String(name.dropLast()) : name
            properties[name] = schema
            if !isOptional { required.append(.string(name)) }
        }
        var object: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object["required"] = .array(required) }
        if isClosed { object["additionalProperties"] = false }
        return .object(object)
    }

    static func described(_ schema: JSONValue, _ text: String) -> JSONValue {
        guard case .object(var members) = schema else { return schema }
        members["description"] = .string(text)
        return .object(members)
    }

    static func choice(_ names: [String]) -> JSONValue {
        ["type": "string", "enum": .array(names.map { .string($0) })]
    }

    static let modules: JSONValue = ["type": "array", "items": choice(Registration.Module.allCases.map(\.rawValue))]

    /// The schemas of the kernel.
    static var common: [String: JSONValue] {
        [
            "Failure": object([
                (
                    "error",
                    object([
                        ("code", described(text, "The stable name of the failure.")), ("message", text),
                        ("requestID?", text),
                        (
                            "violations?",
                            described(list("DraftViolation"), "All that is wrong with the draft of a piece.")
                        ),
                    ])
                )
            ])
        ]
    }
}
