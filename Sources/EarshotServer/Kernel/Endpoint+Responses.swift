import Hummingbird

extension Endpoint.Response {
    /// A list of matches.
    static func list(_ summary: String) -> Endpoint.Response {
        Endpoint.Response(
            status: 200,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("MatchList")
        )
    }

    /// A failure.
    static func failure(_ status: Int, _ summary: String) -> Endpoint.Response {
        Endpoint.Response(
            status: status,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("Failure")
        )
    }

    /// What an upload may be refused for.
    static var uploadFailures: [Endpoint.Response] {
        [
            .failure(408, "The upload took too long."),
            .failure(413, "The upload is too large."),
            .failure(415, "The type of content is not taken."),
            .failure(422, "There is nothing to recognize in the upload."),
            .failure(507, "There is no room for the upload."),
        ]
    }

    static var notFound: Endpoint.Response { .failure(404, "There is nothing of this name.") }
}
