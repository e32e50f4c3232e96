import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

/// Finds music by text and by identifiers.
struct SearchController: Controller {
    let services: RecognitionServiceFactory
    let music: any MusicStore

    var endpoints: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/search",
                id: "search",
                summary:
                    "Finds tracks, albums and artists by text. At least one of q, artist, album and track is needed; more of them narrow the search.",
                tag: "Search",
                access: .client,
                module: .music,
                parameters: [
                    .text("q", "Words of a title, an album or an artist."),
                    .text("artist", "Words of the artist's name."),
                    .text("album", "Words of the album's title."),
                    .text("track", "Words of the track's title."),
                    Endpoint.Parameter(
                        name: "typing",
                        schema: Schemas.flag,
                        summary: "1: the last word may be the begin of a longer one."
                    ),
                ] + Schemas.page(limit: 100, default: 10) + Schemas.preferences(withSingle: false),
                responses: [.list("What fits, the best first.")],
                handler: { try await findText($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/lyrics",
                id: "searchLyrics",
                summary: "Finds tracks by words that are sung in them.",
                tag: "Search",
                access: .client,
                module: .music,
                parameters: [
                    .text("fragment", "Words of the song.", isRequired: true),
                    .text("artist", "Words of the artist's name."),
                ] + Schemas.page(limit: 100, default: 10) + Schemas.preferences(withSingle: false),
                responses: [.list("What fits, the best first.")],
                handler: { try await findLyrics($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/lookup",
                id: "lookup",
                summary: "Finds tracks and albums by an identifier that the trade or a public database uses.",
                tag: "Search",
                access: .client,
                module: .music,
                parameters: [
                    Endpoint.Parameter(
                        name: "scheme",
                        schema: [
                            "type": "string",
                            "enum": .array(MusicIdentifier.Scheme.allCases.map { .string($0.rawValue) }),
                        ],
                        summary: "Whose identifier it is.",
                        isRequired: true
                    ),
                    .text("value", "The identifier, with or without separators.", isRequired: true),
                ] + Schemas.preferences(withSingle: false),
                responses: [.list("What carries it.")],
                handler: { try await lookUp($0) }
            ),
        ]
    }

    private func findText(_ context: RequestContext) async throws -> Response {
        let query = MusicQuery(
            try context.text("q"),
            artist: try context.text("artist"),
            album: try context.text("album"),
            track: try context.text("track"),
            isTyping: try context.flag("typing"),
            offset: try context.number("offset", 0...10_000, default: 0),
            limit: try context.number("limit", 1...100, default: 10)
        )
        guard query.anything != nil || query.artist != nil || query.album != nil || query.track != nil else {
            throw EarshotError(.requestInvalid, "The search has no text: give q, artist, album or track.")
        }
        let preferences = try ContentPreferences(parameters: context.parameters)
        return try .json(
            MatchList(try await services.service(for: context).search(query, preferences))
        )
    }

    private func findLyrics(_ context: RequestContext) async throws -> Response {
        guard let fragment = try context.text("fragment") else {
            throw EarshotError(
                .requestInvalid,
                "The parameter fragment is missing: give some words of the song."
            )
        }
        let query = LyricQuery(
            fragment,
            artist: try context.text("artist"),
            offset: try context.number("offset", 0...10_000, default: 0),
            limit: try context.number("limit", 1...100, default: 10)
        )
        let preferences = try ContentPreferences(parameters: context.parameters)
        return try .json(
            MatchList(try await services.service(for: context).search(query, preferences))
        )
    }

    private func lookUp(_ context: RequestContext) async throws -> Response {
        guard let scheme = try context.text("scheme").flatMap(MusicIdentifier.Scheme.init(rawValue:)) else {
            throw EarshotError(
                .requestInvalid,
                "scheme is not known: choose \(MusicIdentifier.Scheme.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        guard let value = try context.text("value"), let identifier = MusicIdentifier(scheme, value) else {
            throw EarshotError(
                .requestInvalid,
                "value is no identifier of the scheme \(scheme.rawValue), or its check digit is wrong: correct it."
            )
        }
        let preferences = try ContentPreferences(parameters: context.parameters)
        let service = services.service(for: context)
        var matches: [MusicMatch] = []
        for track in try await music.tracks(with: identifier).prefix(100) {
            if let match = try await service.track(track.id, preferences) { matches.append(match) }
        }
        for album in try await music.albums(with: identifier).prefix(100) {
            if let match = try await service.album(album.id, preferences) { matches.append(match) }
        }
        return try .json(MatchList(matches))
    }
}
