import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import HTTPTypes

/// Lists the plays of songs across stations, for the operator.
struct PlayController: Controller {
    let access: StationAccess
    let songs: PlayedSongs?

    /// The number of days that are searched if a query has no time span.
    private static let days = 30.0

    private static var span: [Endpoint.Parameter] {
        [
            Endpoint.Parameter(
                name: "from",
                schema: ["type": "string", "format": "date-time"],
                summary: "The begin of the span. Default: 30 days ago."
            ),
            Endpoint.Parameter(
                name: "to",
                schema: ["type": "string", "format": "date-time"],
                summary: "The end of the span. Default: now."
            ),
        ]
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/plays/songs",
                id: "playedSongs",
                summary: "The references that stations played, most plays first, by words of titles and artists.",
                tag: "Stations",
                access: .admin,
                parameters: [.text("q", "Words of titles and artists. Default: all.")] + Self.span + [
                    Endpoint.Parameter(
                        name: "limit",
                        schema: ["type": "integer", "minimum": 1, "maximum": 500, "default": 50],
                        summary: "How many, at most."
                    )
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "The references.",
                        type: "application/json",
                        schema: Schemas.reference("PlayedSongList")
                    ), .notFound,
                ],
                handler: { context in
                    _ = try access.stations()
                    let limit = try context.number("limit", 1...500, default: 50)
                    let query = PlayQuery(span: try Self.range(context))
                    let found = try await songs?.songs(try context.text("q"), query, limit: limit) ?? []
                    return try .json(["songs": found])
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/plays",
                id: "plays",
                summary: "Plays of all stations, the newest first.",
                tag: "Stations",
                access: .admin,
                parameters: [
                    .text("reference", "Of this reference."), .text("station", "On this station."),
                    .text("kind", "Of this kind: song, advertisement and the like."),
                ] + Self.span + [
                    Endpoint.Parameter(
                        name: "limit",
                        schema: ["type": "integer", "minimum": 1, "maximum": 1_000, "default": 100],
                        summary: "How many, at most."
                    ), .text("after", "The member next of the page before."),
                ],
                responses: [
                    Endpoint.Response(
                        status: 200,
                        summary: "A page of plays.",
                        type: "application/json",
                        schema: Schemas.reference("PlayPage")
                    ), .notFound,
                ],
                handler: { context in
                    let store = try access.stations().sources.store
                    var query = PlayQuery(span: try Self.range(context), isNewestFirst: true)
                    if let id = try context.text("reference", upTo: 512) { query.references = [ReferenceID(id)] }
                    if let id = try context.text("station", upTo: 512) { query.channels = [EntityID(id)] }
                    if let kind = try context.text("kind") { query.kinds = [PlayKind(rawValue: kind)] }
                    let cursor = try Self.cursor(try context.text("after", upTo: 600))
                    let limit = try context.number("limit", 1...1_000, default: 100)
                    let page = try await store.records(query, after: cursor, limit: limit)
                    let plays = page.items.map { LoggedPlay($0, withStation: true) }
                    return try .json(Page(plays: plays, next: page.next?.description))
                }
            ),
        ]
    }

    private struct Page: Encodable {
        let plays: [LoggedPlay]
        /// The cursor of the next page; `nil` if there is none.
        let next: String?
    }

    private static func range(_ context: RequestContext) throws(EarshotError) -> Range<Date> {
        let end = try context.date("to") ?? context.now
        let start = try context.date("from") ?? end.addingTimeInterval(-days * 86_400)
        guard start < end else {
            throw EarshotError(.requestInvalid, "The parameter to is not after from: choose another span.")
        }
        return start..<end
    }

    private static func cursor(_ text: String?) throws(EarshotError) -> PlayCursor? {
        guard let text else { return nil }
        guard let cursor = PlayCursor(text) else {
            throw EarshotError(.requestInvalid, "The parameter after is no cursor: give the value of next in a page.")
        }
        return cursor
    }
}
