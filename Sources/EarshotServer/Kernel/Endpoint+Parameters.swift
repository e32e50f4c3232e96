import EarshotCore

extension Endpoint.Parameter {
    /// A text of the query.
    static func text(_ name: String, _ summary: String, isRequired: Bool = false) -> Endpoint.Parameter {
        Endpoint.Parameter(
            name: name,
            schema: isRequired
                ? ["type": "string", "minLength": 1, "maxLength": 400] : ["type": "string", "maxLength": 400],
            summary: summary,
            isRequired: isRequired
        )
    }

    /// The identifier in a path.
    static func id(_ summary: String, name: String = "id") -> Endpoint.Parameter {
        Endpoint.Parameter(
            name: name,
            place: .path,
            schema: ["type": "string", "minLength": 1, "maxLength": 512],
            summary: summary,
            isRequired: true
        )
    }
}
