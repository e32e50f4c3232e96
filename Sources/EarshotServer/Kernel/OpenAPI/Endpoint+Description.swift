import EarshotCore
import Hummingbird

extension Endpoint {
    /// Returns the endpoint that serves the description of others and of itself.
    static func description(of others: [Endpoint], schemas: [String: JSONValue]) -> Endpoint {
        var description = Endpoint(
            method: .get,
            path: "/v1/openapi.json",
            id: "description",
            summary: "This description.",
            tag: "Service",
            access: .open,
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "An OpenAPI 3.1 document.",
                    type: "application/json",
                    schema: ["type": "object"]
                )
            ],
            handler: { _ in throw EarshotError(.internalError, "The description is not complete.") }
        )
        let described = others + [description]
        description.handler = { context in
            try .json(OpenAPIDocument(described, schemas: schemas, base: context.base).value)
        }
        return description
    }
}
