import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import HTTPTypes
import Hummingbird

/// Lists, completes, exports and deletes the recognition history of a user.
struct HistoryController: Controller {
    let accounts: any AccountStore
    let services: RecognitionServiceFactory

    var endpoints: [Endpoint] {
        [list, clear, remove, setPlace, removePlace, HistoryExport(accounts: accounts).endpoint]
    }

    private static let entry = Endpoint.Parameter(
        name: "entry",
        place: .path,
        schema: ["type": "integer", "minimum": 1, "maximum": 9_007_199_254_740_991],
        summary: "The entry.",
        isRequired: true
    )

    private var list: Endpoint {
        Endpoint(
            method: .get,
            path: "/v1/history",
            id: "history",
            summary: "What was recognized for the user, the latest first.",
            tag: "Accounts",
            access: .user,
            parameters: [
                .text("q", "Words that all stand in the title, the artist or the album; parts of words are enough."),
                .flag("coverArt", "with addresses of covers, as far as they are known now."),
                Endpoint.Parameter(
                    name: "sizes",
                    schema: Schemas.text,
                    summary: "The sizes of covers in order of preference, as with other requests."
                ),
            ] + Schemas.page(limit: 100, default: 20),
            responses: [
                Endpoint.Response(
                    status: 200,
                    summary: "The history.",
                    type: "application/json",
                    schema: Schemas.reference("HistoryPage")
                )
            ],
            handler: { try await history($0) }
        )
    }

    private var clear: Endpoint {
        Endpoint(
            method: .delete,
            path: "/v1/history",
            id: "clearHistory",
            summary: "Forgets the user's history.",
            tag: "Accounts",
            access: .user,
            responses: [Endpoint.Response(status: 204, summary: "Forgotten.")],
            handler: { context in
                if let id = context.identity.user { try await accounts.removeHistory(of: id, entry: nil) }
                return .empty
            }
        )
    }

    private var remove: Endpoint {
        Endpoint(
            method: .delete,
            path: "/v1/history/{entry}",
            id: "removeHistoryEntry",
            summary: "Forgets one entry of the user's history.",
            tag: "Accounts",
            access: .user,
            parameters: [Self.entry],
            responses: [Endpoint.Response(status: 204, summary: "Forgotten."), .notFound],
            handler: { context in
                let entry = try number(context)
                if let id = context.identity.user { try await accounts.removeHistory(of: id, entry: entry) }
                return .empty
            }
        )
    }

    private var setPlace: Endpoint {
        Endpoint(
            method: .put,
            path: "/v1/history/{entry}/place",
            id: "setHistoryPlace",
            summary: "Keeps where the user was with an entry of the history. Send it only if the user allows it.",
            tag: "Accounts",
            access: .user,
            parameters: [Self.entry],
            body: ["application/json": Schemas.reference("HistoryPlace")],
            responses: [
                Endpoint.Response(status: 204, summary: "Kept."), .notFound,
                .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
            ],
            handler: { context in
                let entry = try number(context)
                return try await put(try await context.document(HistoryPlace.self, limit: 4 << 10), entry, context)
            }
        )
    }

    private var removePlace: Endpoint {
        Endpoint(
            method: .delete,
            path: "/v1/history/{entry}/place",
            id: "removeHistoryPlace",
            summary: "Forgets where the user was, and keeps the entry of the history.",
            tag: "Accounts",
            access: .user,
            parameters: [Self.entry],
            responses: [Endpoint.Response(status: 204, summary: "Forgotten."), .notFound],
            handler: { context in try await put(nil, try number(context), context) }
        )
    }

    /// Returns the number of the entry in the path of a request.
    private func number(_ context: RequestContext) throws(EarshotError) -> Int {
        guard let entry = Int(try context.path("entry")), entry > 0 else {
            throw EarshotError(
                .requestInvalid,
                "The number of the entry in the path is no whole number from 1: give one."
            )
        }
        return entry
    }

    private func put(
        _ place: HistoryPlace?,
        _ entry: Int,
        _ context: RequestContext
    ) async throws(EarshotError) -> Response {
        guard let user = context.identity.user,
            try await accounts.setHistoryPlace(place, of: user, entry: entry)
        else { throw EarshotError.missing("entry", String(entry)) }
        return .empty
    }

    private func history(_ context: RequestContext) async throws -> Response {
        let offset = try context.number("offset", 0...1_000_000, default: 0)
        let limit = try context.number("limit", 1...100, default: 20)
        let words = try context.text("q")
        let preferences = try ContentPreferences(parameters: context.parameters)
        guard let user = context.identity.user else { throw EarshotError.missing("user", "me") }
        var entries = try await accounts.history(of: user, matching: words, offset: offset, limit: limit)
        if preferences.coverArt { try await addCovers(to: &entries, preferences, context) }
        return try .json(
            HistoryPage(
                entries: entries,
                offset: offset,
                total: try await accounts.historyCount(of: user, matching: words)
            )
        )
    }

    /// Adds the addresses of covers, which are not stored because they expire.
    private func addCovers(
        to entries: inout [UserHistoryEntry],
        _ preferences: ContentPreferences,
        _ context: RequestContext
    ) async throws(EarshotError) {
        var wanted = ContentPreferences()
        (wanted.coverArt, wanted.imageSizes) = (true, preferences.imageSizes)
        let service = services.service(for: context)
        var covers: [EntityID<Album>: ContentImage?] = [:]
        for index in entries.indices {
            guard let album = entries[index].match.album.id else { continue }
            if !covers.keys.contains(album) {
                covers.updateValue(try await service.album(album, wanted)?.album.coverArt, forKey: album)
            }
            entries[index].match.album.coverArt = covers[album] ?? nil
        }
    }
}
