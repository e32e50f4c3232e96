import EarshotAPI
import EarshotCore
import EarshotMusic
import Hummingbird

/// Shows and edits the tracks of the store of music, for the operator.
struct TrackController: Controller {
    let music: any MusicStore

    /// The parts of a track that can be edited.
    private struct Record: Encodable {
        let id: String
        let title: String
        let artist: String
        let artistID: String?
        let album: String?
        let albumID: String?
        /// The number of the track on its medium.
        let number: Int?
        /// The date of the album's first publication: `1999`, `1999-05` or `1999-05-31`.
        let date: String?
        let genres: [String]
        /// In seconds.
        let duration: Double?
        /// The number of tracks of the album: a change of its title or date affects all of them.
        let albumTracks: Int?
        let identifiers: [String]
    }

    /// A change of a track. Members that are absent stay.
    private struct Change: Decodable, Sendable {
        let title: String?
        let artist: String?
        /// The title of the album, for all of its tracks.
        let album: String?
        let date: String?
        let genres: [String]?
    }

    private static let textLimit = 1_000

    var endpoints: [Endpoint] {
        let track = Endpoint.Response(
            status: 200,
            summary: "The track.",
            type: "application/json",
            schema: Schemas.reference("TrackRecord")
        )
        return [
            Endpoint(
                method: .get,
                path: "/v1/admin/tracks/{id}",
                id: "editableTrack",
                summary: "The parts of a track that can be edited, as they are kept.",
                tag: "Operator",
                access: .admin,
                parameters: [.id("The track.")],
                responses: [track, .notFound],
                handler: { context in try .json(try await record(try await find(context))) }
            ),
            Endpoint(
                method: .patch,
                path: "/v1/admin/tracks/{id}",
                id: "editTrack",
                summary: """
                    Changes a track: its title, artist, album, date and genres. What is left out stays. The title and the date of the album \
                    change for all its tracks.
                    """,
                tag: "Operator",
                access: .admin,
                parameters: [.id("The track.")],
                body: ["application/json": Schemas.reference("TrackChange")],
                isWriting: true,
                responses: [
                    track, .notFound, .failure(400, "A value cannot be used; the message says which."),
                    .failure(413, "The body is too large."), .failure(415, "The body is not JSON."),
                ],
                handler: { context in
                    let change = try await context.document(Change.self, limit: 64 << 10)
                    let track = try await find(context)
                    try await edit(track, change)
                    return try .json(try await record(try await find(context)))
                }
            ),
        ]
    }

    private func find(_ context: RequestContext) async throws(EarshotError) -> Track {
        let id = try context.path("id")
        guard let track = try await music.track(EntityID(id)) else { throw EarshotError.missing("track", id) }
        return track
    }

    private func record(_ track: Track) async throws(EarshotError) -> Record {
        var album: Album?
        if let id = track.place?.album { album = try await music.album(id) }
        let credits = track.credits.isEmpty ? album?.credits ?? [] : track.credits
        let genres = Taxonomies.builtIn.taxonomy(.genre)
        var albumTracks: Int?
        if let id = album?.id { albumTracks = try await music.tracks(of: id).count }
        return Record(
            id: track.id.rawValue,
            title: track.title.text,
            artist: credits.displayName,
            artistID: credits.first?.artist?.rawValue,
            album: album?.title.text,
            albumID: album?.id.rawValue,
            number: track.place?.number,
            date: album?.date?.description,
            genres: track.genres.map { genres?.path(to: $0).last?.name() ?? $0 },
            duration: track.duration?.seconds,
            albumTracks: albumTracks,
            identifiers: track.identifiers.map { "\($0.scheme.rawValue):\($0.value)" }.sorted()
        )
    }

    // MARK: - Editing

    private func edit(_ old: Track, _ change: Change) async throws(EarshotError) {
        var track = old
        var album: Album?
        if let id = old.place?.album { album = try await music.album(id) }
        var changes: [MusicChange] = []
        if let title = try Self.text(change.title, "title"), title != track.title.text { track.title.text = title }
        if let artist = try Self.text(change.artist, "artist") {
            let credits = track.credits.isEmpty ? album?.credits ?? [] : track.credits
            if artist != credits.displayName {
                let (credit, new) = try await self.credit(artist)
                if let new { changes.append(.artist(new)) }
                track.credits = [credit]
            }
        }
        if let genres = change.genres { track.genres = try Self.genres(genres) }
        var isAlbumChanged = false
        if let title = try Self.text(change.album, "album"), title != album?.title.text {
            isAlbumChanged = true
            if album == nil {
                let id = EntityID<Album>(DerivedID.text("album", [track.credits.displayName, title]))
                album = try await music.album(id) ?? Album(id: id, title: Name(title), credits: track.credits)
                track.place = Track.Place(album: id)
            }
            album?.title.text = title
        }
        if let date = change.date {
            guard album != nil else {
                throw EarshotError(
                    .metadataInvalid,
                    "A date belongs to an album, and this track is on none: give an album, too."
                )
            }
            guard date.isEmpty || PartialDate(date) != nil else {
                throw EarshotError(
                    .metadataInvalid,
                    "\"\(date.prefix(40))\" is no date: write 1999, 1999-05 or 1999-05-31."
                )
            }
            album?.date = PartialDate(date)
            isAlbumChanged = true
        }
        if isAlbumChanged, let album { changes.append(.album(album)) }
        if track != old { changes.append(.track(track)) }
        guard !changes.isEmpty else { return }
        try await music.apply(changes)
    }

    /// Returns a credit for the artist of a name, or for a new one.
    ///
    /// - Returns: The credit, and the artist if it is new.
    private func credit(_ name: String) async throws(EarshotError) -> (ArtistCredit, Artist?) {
        for hit in try await music.search(MusicQuery(artist: name, limit: 20)) {
            if case .artist(let id) = hit.entity, let artist = try await music.artist(id), artist.name.text == name {
                return (ArtistCredit(name, artist: artist.id), nil)
            }
        }
        let id = EntityID<Artist>(DerivedID.text("artist", [name]))
        let known = try await music.artist(id)
        return (ArtistCredit(name, artist: id), known == nil ? Artist(id: id, name: Name(name)) : nil)
    }

    private static func text(_ text: String?, _ name: String) throws(EarshotError) -> String? {
        guard let text else { return nil }
        guard text.unicodeScalars.count <= textLimit else {
            throw EarshotError(.metadataInvalid, "\(name) has more than \(textLimit) characters: shorten it.")
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw EarshotError(.metadataInvalid, "\(name) is empty: leave it out to keep what there is.")
        }
        return text
    }

    /// Returns the identifiers of genre descriptors by their names.
    private static func genres(_ names: [String]) throws(EarshotError) -> [String] {
        var ids: [String] = []
        for name in names.prefix(20) {
            guard let node = Taxonomies.builtIn.node(.genre, matching: name) else {
                throw EarshotError(
                    .metadataInvalid,
                    "\"\(name.prefix(60))\" names no genre that is known: use another name, or leave it out."
                )
            }
            if !ids.contains(node.id) { ids.append(node.id) }
        }
        return ids
    }
}
