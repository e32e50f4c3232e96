import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

extension Endpoints {
    // MARK: - Search

    static var search: [Endpoint] {
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
                answers: [.list("What fits, the best first.")],
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
                answers: [.list("What fits, the best first.")],
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
                answers: [.list("What carries it.")],
                handler: { try await lookUp($0) }
            ),
        ]
    }

    private static func findText(_ call: Call) async throws -> Response {
        let query = MusicQuery(
            try call.text("q"),
            artist: try call.text("artist"),
            album: try call.text("album"),
            track: try call.text("track"),
            isTyping: try call.flag("typing"),
            offset: try call.number("offset", 0...10_000, default: 0),
            limit: try call.number("limit", 1...100, default: 10)
        )
        guard query.anything != nil || query.artist != nil || query.album != nil || query.track != nil else {
            throw EarshotError(.requestInvalid, "There is nothing to search for: give q, artist, album or track.")
        }
        let preferences = try ContentPreferences(parameters: call.parameters)
        return try .json(
            MatchList(try await call.core.service(for: call.identity, base: call.base).search(query, preferences))
        )
    }

    private static func findLyrics(_ call: Call) async throws -> Response {
        guard let fragment = try call.text("fragment") else {
            throw EarshotError(
                .requestInvalid,
                "There is nothing to search for: give some words of the song as fragment."
            )
        }
        let query = LyricQuery(
            fragment,
            artist: try call.text("artist"),
            offset: try call.number("offset", 0...10_000, default: 0),
            limit: try call.number("limit", 1...100, default: 10)
        )
        let preferences = try ContentPreferences(parameters: call.parameters)
        return try .json(
            MatchList(try await call.core.service(for: call.identity, base: call.base).search(query, preferences))
        )
    }

    private static func lookUp(_ call: Call) async throws -> Response {
        guard let scheme = try call.text("scheme").flatMap(MusicIdentifier.Scheme.init(rawValue:)) else {
            throw EarshotError(
                .requestInvalid,
                "scheme is none of \(MusicIdentifier.Scheme.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        guard let value = try call.text("value"), let identifier = MusicIdentifier(scheme, value) else {
            throw EarshotError(
                .requestInvalid,
                "value has not the form of an identifier of \(scheme.rawValue), or its check digit is wrong."
            )
        }
        let preferences = try ContentPreferences(parameters: call.parameters)
        let service = call.core.service(for: call.identity, base: call.base)
        var matches: [MusicMatch] = []
        for track in try await call.core.music.tracks(with: identifier).prefix(100) {
            if let match = try await service.track(track.id, preferences) { matches.append(match) }
        }
        for album in try await call.core.music.albums(with: identifier).prefix(100) {
            if let match = try await service.album(album.id, preferences) { matches.append(match) }
        }
        return try .json(MatchList(matches))
    }

    // MARK: - Tracks, albums, artists

    static var entities: [Endpoint] {
        let found: [Endpoint.Answer] = [.list("One match."), .notFound]
        return [
            Endpoint(
                method: .get,
                path: "/v1/tracks/{id}",
                id: "track",
                summary: "A track with all that is asked for of what belongs to it.",
                tag: "Music",
                access: .client,
                module: .music,
                parameters: [.id("The track.")] + Schemas.preferences(withSingle: false),
                answers: found,
                handler: { call in
                    let (id, preferences, service) = try fetch(call)
                    return try one(try await service.track(EntityID(id), preferences), "track", id)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/tracks/{id}/lyrics",
                id: "lyricsOfTrack",
                summary: "The words of a track.",
                tag: "Music",
                access: .client,
                module: .music,
                parameters: [.id("The track.")],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "The words.",
                        type: "application/json",
                        schema: Schemas.reference("LyricList")
                    ),
                    .notFound,
                ],
                handler: { try await words($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/albums/{id}",
                id: "album",
                summary: "An album with all that is asked for of what belongs to it.",
                tag: "Music",
                access: .client,
                module: .music,
                parameters: [.id("The album.")] + Schemas.preferences(withSingle: false),
                answers: found,
                handler: { call in
                    let (id, preferences, service) = try fetch(call)
                    return try one(try await service.album(EntityID(id), preferences), "album", id)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/albums/{id}/tracks",
                id: "tracksOfAlbum",
                summary: "The tracks of an album, in order of media and numbers.",
                tag: "Music",
                access: .client,
                module: .music,
                parameters: [.id("The album.")] + Schemas.preferences(withSingle: false),
                answers: [.list("The tracks."), .notFound],
                handler: { try await tracks($0) }
            ),
            Endpoint(
                method: .get,
                path: "/v1/artists/{id}",
                id: "artist",
                summary: "An artist: what is known of the artist stands in the match's artist fields.",
                tag: "Music",
                access: .client,
                module: .music,
                parameters: [.id("The artist.")] + Schemas.preferences(withSingle: false),
                answers: found,
                handler: { call in
                    let (id, preferences, service) = try fetch(call)
                    return try one(try await service.artist(EntityID(id), preferences), "artist", id)
                }
            ),
            Endpoint(
                method: .get,
                path: "/v1/artists/{id}/albums",
                id: "albumsOfArtist",
                summary: "The albums of an artist, in order of dates.",
                tag: "Music",
                access: .client,
                module: .music,
                parameters: [.id("The artist.")] + Schemas.page(limit: 100, default: 20)
                    + Schemas.preferences(withSingle: false),
                answers: [.list("The albums."), .notFound],
                handler: { try await albums($0) }
            ),
        ]
    }

    private static func fetch(_ call: Call) throws(EarshotError) -> (
        String, ContentPreferences, LocalRecognitionService
    ) {
        let preferences = try ContentPreferences(parameters: call.parameters)
        return (try call.path("id"), preferences, call.core.service(for: call.identity, base: call.base))
    }

    private static func one(_ match: MusicMatch?, _ kind: String, _ id: String) throws(EarshotError) -> Response {
        guard let match else { throw missing(kind, id) }
        return try .json(MatchList([match]))
    }

    static func missing(_ kind: String, _ id: String) -> EarshotError {
        EarshotError(.entityNotFound, "There is no \(kind) \(id.prefix(120)).")
    }

    private static func words(_ call: Call) async throws -> Response {
        let id = try call.path("id")
        guard let track = try await call.core.music.track(EntityID(id)) else { throw missing("track", id) }
        return try .json(LyricList(try await call.core.music.lyrics(of: track.id)))
    }

    private static func tracks(_ call: Call) async throws -> Response {
        let (id, preferences, service) = try fetch(call)
        guard let album = try await call.core.music.album(EntityID(id)) else { throw missing("album", id) }
        var matches: [MusicMatch] = []
        for track in try await call.core.music.tracks(of: album.id).prefix(500) {
            if let match = try await service.track(track.id, preferences) { matches.append(match) }
        }
        return try .json(MatchList(matches))
    }

    private static func albums(_ call: Call) async throws -> Response {
        let (id, preferences, service) = try fetch(call)
        guard let artist = try await call.core.music.artist(EntityID(id)) else { throw missing("artist", id) }
        let list = try await call.core.music.albums(
            of: artist.id,
            offset: try call.number("offset", 0...10_000, default: 0),
            limit: try call.number("limit", 1...100, default: 20)
        )
        var matches: [MusicMatch] = []
        for album in list {
            if let match = try await service.album(album.id, preferences) { matches.append(match) }
        }
        return try .json(MatchList(matches))
    }

    // MARK: - Content

    static var content: [Endpoint] {
        [
            Endpoint(
                method: .get,
                path: "/v1/content/{token}",
                id: "content",
                summary:
                    "The picture or the text that an address in an answer leads to. The address itself says who may have it, and until when.",
                tag: "Content",
                access: .open,
                parameters: [
                    Endpoint.Parameter(
                        name: "token",
                        place: .path,
                        schema: ["type": "string"],
                        summary: "As it stands in the address.",
                        isRequired: true
                    )
                ],
                answers: [
                    Endpoint.Answer(
                        status: 200,
                        summary: "A picture that fits its square, centered on a transparent ground.",
                        type: "image/png",
                        schema: ["type": "string", "format": "binary"]
                    ),
                    Endpoint.Answer(
                        status: 200,
                        summary: "A text.",
                        type: "application/json",
                        schema: Schemas.reference("Text")
                    ),
                    .notFound,
                    .failure(412, "The address has expired: fetch the track again."),
                ],
                handler: { try await deliver($0) }
            )
        ]
    }

    private static func deliver(_ call: Call) async throws -> Response {
        let service = call.core.service(for: call.identity, base: "")
        let address = SignedContentAddresses.path + (call.context.parameters.get("token") ?? "")
        let answer = try await call.core.pictureQueue.perform { () async throws(EarshotError) in
            try await service.content(at: address)
        }
        switch answer.status {
        case 200:
            var response = Response.bytes(answer.bytes, type: answer.mimeType)
            // The address is a secret between the client and the service, and holds for an hour.
            response.headers[.cacheControl] = "private, max-age=3600"
            return response
        case 412: throw EarshotError(.contentExpired, "This address has expired: fetch the track again for a new one.")
        default: throw EarshotError(.entityNotFound, "There is nothing at this address.")
        }
    }
}

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
