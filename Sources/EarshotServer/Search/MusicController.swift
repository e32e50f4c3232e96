import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Hummingbird

/// Serves the metadata of tracks, albums and artists.
struct MusicController: Controller {
    let services: RecognitionServiceFactory
    let music: any MusicStore

    var endpoints: [Endpoint] {
        let found: [Endpoint.Response] = [.list("One match."), .notFound]
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
                responses: found,
                handler: { context in
                    let (id, preferences, service) = try fetch(context)
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
                responses: [
                    Endpoint.Response(
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
                responses: found,
                handler: { context in
                    let (id, preferences, service) = try fetch(context)
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
                responses: [.list("The tracks."), .notFound],
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
                responses: found,
                handler: { context in
                    let (id, preferences, service) = try fetch(context)
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
                responses: [.list("The albums."), .notFound],
                handler: { try await albums($0) }
            ),
        ]
    }

    private func fetch(_ context: RequestContext) throws(EarshotError) -> (
        String, ContentPreferences, LocalRecognitionService
    ) {
        let preferences = try ContentPreferences(parameters: context.parameters)
        return (try context.path("id"), preferences, services.service(for: context))
    }

    private func one(_ match: MusicMatch?, _ kind: String, _ id: String) throws(EarshotError) -> Response {
        guard let match else { throw EarshotError.missing(kind, id) }
        return try .json(MatchList([match]))
    }

    private func words(_ context: RequestContext) async throws -> Response {
        let id = try context.path("id")
        guard let track = try await music.track(EntityID(id)) else { throw EarshotError.missing("track", id) }
        return try .json(LyricList(try await music.lyrics(of: track.id)))
    }

    private func tracks(_ context: RequestContext) async throws -> Response {
        let (id, preferences, service) = try fetch(context)
        guard let album = try await music.album(EntityID(id)) else { throw EarshotError.missing("album", id) }
        var matches: [MusicMatch] = []
        for track in try await music.tracks(of: album.id).prefix(500) {
            if let match = try await service.track(track.id, preferences) { matches.append(match) }
        }
        return try .json(MatchList(matches))
    }

    private func albums(_ context: RequestContext) async throws -> Response {
        let (id, preferences, service) = try fetch(context)
        guard let artist = try await music.artist(EntityID(id)) else { throw EarshotError.missing("artist", id) }
        let list = try await music.albums(
            of: artist.id,
            offset: try context.number("offset", 0...10_000, default: 0),
            limit: try context.number("limit", 1...100, default: 20)
        )
        var matches: [MusicMatch] = []
        for album in list {
            if let match = try await service.album(album.id, preferences) { matches.append(match) }
        }
        return try .json(MatchList(matches))
    }
}
