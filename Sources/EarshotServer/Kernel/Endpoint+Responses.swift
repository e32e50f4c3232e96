import EarshotCore
import Hummingbird

extension Endpoint.Response {
    /// Returns the response with a list of matches.
    static func list(_ summary: String) -> Endpoint.Response {
        Endpoint.Response(
            status: 200,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("MatchList")
        )
    }

    /// Returns the response with server-sent events. The schema is that of one event, as tools that test descriptions expect.
    ///
    /// - Parameter name: The name of the events.
    static func events(_ name: String) -> Endpoint.Response {
        Endpoint.Response(
            status: 200,
            summary: "Events, each with a JSON document as data.",
            type: "text/event-stream",
            schema: Schemas.object([("event", Schemas.choice([name])), ("data", Schemas.text)])
        )
    }

    /// Returns the response for a failure.
    static func failure(_ status: Int, _ summary: String) -> Endpoint.Response {
        Endpoint.Response(
            status: status,
            summary: summary,
            type: "application/json",
            schema: Schemas.reference("Failure")
        )
    }

    /// Returns the responses of a route that sends a file with an entity tag, whole or in parts.
    ///
    /// - Parameter types: The content types that the file may have.
    static func file(_ types: String...) -> [Endpoint.Response] { file(types) }

    /// Returns the responses of a route that sends a file with an entity tag, whole or in parts.
    static func file(_ types: [String]) -> [Endpoint.Response] {
        let binary: JSONValue = ["type": "string", "format": "binary"]
        return types.flatMap { type in
            [
                Endpoint.Response(status: 200, summary: "The file.", type: type, schema: binary),
                Endpoint.Response(status: 206, summary: "The bytes that Range asks for.", type: type, schema: binary),
            ]
        } + [
            Endpoint.Response(status: 304, summary: "Nothing has changed since If-None-Match."),
            Endpoint.Response(status: 416, summary: "The file has no such bytes."),
        ]
    }

    /// The responses with which an upload may be refused.
    static var uploadFailures: [Endpoint.Response] {
        [
            .failure(408, "The upload took too long."),
            .failure(413, "The upload is too large."),
            .failure(415, "The type of content is not taken."),
            .failure(422, "There is nothing to recognize in the upload."),
            .failure(507, "There is no space for the upload on the service's disk."),
        ]
    }

    static var notFound: Endpoint.Response { .failure(404, "There is nothing of this name.") }
}
