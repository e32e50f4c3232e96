import EarshotAPI
import EarshotCore
import EarshotRecognition
import HTTPTypes

/// The description of the service by OpenAPI 3.1.
struct OpenAPIDocument {
    let value: JSONValue

    /// - Parameters:
    ///   - endpoints: The endpoints of the service.
    ///   - schemas: The schemas by name.
    ///   - base: The address of the service.
    init(_ endpoints: [Endpoint], schemas: [String: JSONValue], base: String) {
        var paths: [String: [String: JSONValue]] = [:]
        for endpoint in endpoints where endpoint.isDescribed {
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
                "schemas": .object(schemas),
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
            "security": [.open, .page, .visitor].contains(endpoint.access)
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
        var responses: [String: [String: JSONValue]] = [:]
        for response in endpoint.responses + failures(endpoint) {
            let key = String(response.status)
            var entry = responses[key] ?? ["description": .string(response.summary)]
            if let type = response.type, let schema = response.schema {
                var content: [String: JSONValue] = [:]
                if case .object(let before) = entry["content"] { content = before }
                content[type] = ["schema": schema]
                entry["content"] = .object(content)
            }
            responses[key] = entry
        }
        operation["responses"] = .object(responses.mapValues { .object($0) })
        return .object(operation)
    }

    /// Returns the responses with which every request of a kind may be refused.
    private static func failures(_ endpoint: Endpoint) -> [Endpoint.Response] {
        var failures: [Endpoint.Response] = []
        func add(_ status: Int, _ summary: String) {
            guard !endpoint.responses.contains(where: { $0.status == status }) else { return }
            failures.append(.failure(status, summary))
        }
        add(400, "The request cannot be understood.")
        // Bodies of these types are checked by their `Content-Type`; others, such as parts of pieces, are bytes of any type.
        let read = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
        if read.contains(where: { endpoint.body[$0] != nil }) {
            add(413, "The body is too large.")
            add(415, "The body is of a type that is not taken here.")
        }
        if ![.open, .page, .visitor].contains(endpoint.access) {
            add(401, "The token is missing, has expired, or is not the service's.")
            add(429, "Too much is asked for; Retry-After says how long to wait.")
        }
        let isForSome = endpoint.module != nil || endpoint.entitlement != nil
        switch endpoint.access {
        case .right(let right):
            add(403, "The client does not have the right \(right.rawValue), or this is another client's.")
        case .open, .client, .reader, .page, .visitor:
            if isForSome { add(403, "Whoever asks may not do this.") }
        case .user, .admin, .covers: add(403, "Whoever asks may not do this.")
        }
        add(
            503,
            "The service cannot answer now; Retry-After says how long to wait. With the code searchIncomplete, nothing was found in the "
                + "part of the catalog that could be searched."
        )
        if endpoint.isWriting { add(507, "The service has no room for it.") }
        return failures
    }
}
