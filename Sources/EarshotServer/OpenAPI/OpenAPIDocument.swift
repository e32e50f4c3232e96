import EarshotAPI
import EarshotCore
import HTTPTypes

/// The description of the service by OpenAPI 3.1, made from the same list as the routes.
struct OpenAPIDocument {
    let value: JSONValue

    /// - Parameters:
    ///   - endpoints: What the service answers.
    ///   - base: How it is reached.
    init(_ endpoints: [Endpoint], base: String) {
        var paths: [String: [String: JSONValue]] = [:]
        for endpoint in endpoints {
            paths[endpoint.path, default: [:]][endpoint.method.rawValue.lowercased()] = Self.operation(endpoint)
        }
        value = [
            "openapi": "3.1.0",
            "info": [
                "title": "Earshot",
                "version": .string(ServiceAPI.version),
                "summary": "Recognises recordings, and knows the music.",
                "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": .string(base.isEmpty ? "/" : base)]],
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(Schemas.all),
                "securitySchemes": [
                    "token": [
                        "type": "http",
                        "scheme": "bearer",
                        "description": "A token of POST /v1/tokens, or the operator's.",
                    ]
                ],
            ],
        ]
    }

    private static func operation(_ endpoint: Endpoint) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string(endpoint.id),
            "summary": .string(endpoint.summary),
            "tags": [.string(endpoint.tag)],
            "security": endpoint.access == .open
                ? [] : endpoint.access == .reader ? [[:], ["token": []]] : [["token": []]],
        ]
        if !endpoint.parameters.isEmpty {
            operation["parameters"] = .array(
                endpoint.parameters.map { parameter in
                    [
                        "name": .string(parameter.name),
                        "in": .string(parameter.place.rawValue),
                        "description": .string(parameter.summary),
                        "required": .boolean(parameter.isRequired),
                        "schema": parameter.schema,
                    ]
                }
            )
        }
        if !endpoint.body.isEmpty {
            operation["requestBody"] = [
                "required": true,
                "content": .object(endpoint.body.mapValues { ["schema": $0] }),
            ]
        }
        var answers: [String: [String: JSONValue]] = [:]
        for answer in endpoint.answers + failures(endpoint) {
            let key = String(answer.status)
            var entry = answers[key] ?? ["description": .string(answer.summary)]
            if let type = answer.type, let schema = answer.schema {
                var content: [String: JSONValue] = [:]
                if case .object(let before) = entry["content"] { content = before }
                content[type] = ["schema": schema]
                entry["content"] = .object(content)
            }
            answers[key] = entry
        }
        operation["responses"] = .object(answers.mapValues { .object($0) })
        return .object(operation)
    }

    /// What every request of a kind may be refused for.
    private static func failures(_ endpoint: Endpoint) -> [Endpoint.Answer] {
        var failures: [Endpoint.Answer] = []
        func add(_ status: Int, _ summary: String) {
            guard !endpoint.answers.contains(where: { $0.status == status }) else { return }
            failures.append(.failure(status, summary))
        }
        add(400, "The request cannot be understood.")
        // These are read as what they are said to be; other bodies, such as parts of pieces, are bytes of any type.
        let read = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
        if read.contains(where: { endpoint.body[$0] != nil }) {
            add(413, "The body is too large.")
            add(415, "The body is of a type that is not taken here.")
        }
        if endpoint.access != .open {
            add(401, "The token is missing, has expired, or is not the service's.")
            add(429, "Too much is asked for; Retry-After says how long to wait.")
        }
        if ![.open, .client, .reader].contains(endpoint.access) { add(403, "Whoever asks may not do this.") }
        add(503, "The service cannot answer now.")
        return failures
    }
}
