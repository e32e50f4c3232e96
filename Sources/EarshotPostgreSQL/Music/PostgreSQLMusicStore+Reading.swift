package import EarshotCore
package import EarshotMusic
package import Foundation

extension PostgreSQLMusicStore {
    /// Returns an artist; `nil` if it is not known.
    package func artist(_ id: EntityID<Artist>) async throws(EarshotError) -> Artist? { try await entity(.artist, id) }

    /// Returns an album; `nil` if it is not known.
    package func album(_ id: EntityID<Album>) async throws(EarshotError) -> Album? { try await entity(.album, id) }

    /// Returns a track; `nil` if it is not known.
    package func track(_ id: EntityID<Track>) async throws(EarshotError) -> Track? { try await entity(.track, id) }

    /// Lyrics.
    package func lyrics(_ id: EntityID<Lyrics>) async throws(EarshotError) -> Lyrics? {
        guard Self.isPossible(id.rawValue) else { return nil }
        return try await pool.read { connection in
            try connection.row("SELECT json FROM music_lyrics WHERE id = $1", id.rawValue).map { try Self.value($0) }
        }
    }

    /// Returns a picture with its bytes; `nil` if it is not known.
    package func picture(
        _ id: EntityID<Picture>
    ) async throws(EarshotError) -> (picture: Picture, bytes: Data)? {
        guard Self.isPossible(id.rawValue) else { return nil }
        return try await pool.read { connection in
            let row = try connection.row("SELECT json, bytes FROM music_picture WHERE id = $1", id.rawValue)
            guard let row else { return nil }
            return (try Self.value(row), try row.required("bytes", row.bytes))
        }
    }

    /// Returns the tracks of an album, in order of media and numbers.
    package func tracks(of album: EntityID<Album>) async throws(EarshotError) -> [Track] {
        guard Self.isPossible(album.rawValue) else { return [] }
        return try await pool.read { connection in
            try connection.rows(
                """
                SELECT json FROM music_track WHERE album = \(Self.resolved(.album))
                ORDER BY medium, place NULLS LAST, id
                """,
                album.rawValue
            ).map { try Self.value($0) }
        }
    }

    /// Returns the albums that are credited to an artist, in order of dates and identifiers.
    package func albums(
        of artist: EntityID<Artist>,
        offset: Int,
        limit: Int
    ) async throws(EarshotError) -> [Album] {
        guard Self.isPossible(artist.rawValue) else { return [] }
        return try await pool.read { connection in
            try connection.rows(
                """
                SELECT json FROM music_credit JOIN music_album ON pk = entity
                WHERE artist = \(Self.resolved(.artist)) AND kind = \(MusicKind.album.rawValue)
                ORDER BY date NULLS LAST, id LIMIT $2 OFFSET $3
                """,
                artist.rawValue,
                max(0, limit),
                max(0, offset)
            ).map { try Self.value($0) }
        }
    }

    /// Returns the lyrics of a track, in order of identifiers.
    package func lyrics(of track: EntityID<Track>) async throws(EarshotError) -> [Lyrics] {
        guard Self.isPossible(track.rawValue) else { return [] }
        return try await pool.read { connection in
            try connection.rows(
                """
                SELECT json FROM music_lyrics_track JOIN music_lyrics ON pk = lyrics
                WHERE track = \(Self.resolved(.track)) ORDER BY id
                """,
                track.rawValue
            ).map { try Self.value($0) }
        }
    }

    /// Returns the tracks with an external identifier, such as an ISRC, in order of identifiers.
    package func tracks(with identifier: MusicIdentifier) async throws(EarshotError) -> [Track] {
        try await entities(.track, with: identifier)
    }

    /// Returns the albums with an external identifier, in order of identifiers.
    package func albums(with identifier: MusicIdentifier) async throws(EarshotError) -> [Album] {
        try await entities(.album, with: identifier)
    }

    /// Returns the artists with an external identifier, in order of identifiers.
    package func artists(with identifier: MusicIdentifier) async throws(EarshotError) -> [Artist] {
        try await entities(.artist, with: identifier)
    }

    /// Returns the value that was last kept under a name.
    package func checkpoint(_ name: String) async throws(EarshotError) -> String? {
        guard !name.utf8.contains(0) else { return nil }
        return try await pool.read { connection in
            try connection.row("SELECT value FROM music_checkpoint WHERE name = $1", name)?.text("value")
        }
    }

    /// Returns the number of entities of each kind.
    package func counts() async throws(EarshotError) -> MusicCounts {
        try await pool.read { connection in
            func count(_ table: String) throws -> Int {
                try connection.row("SELECT count(*) AS count FROM music_\(table)")?.integer("count") ?? 0
            }
            var counts = MusicCounts()
            counts.artists = try count("artist")
            counts.albums = try count("album")
            counts.tracks = try count("track")
            counts.lyrics = try count("lyrics")
            counts.pictures = try count("picture")
            return counts
        }
    }

    /// Returns the SQL for the identifier that `$1` leads to after merges. Merging shortens chains, so one step is enough.
    private static func resolved(_ kind: MusicKind) -> String {
        "coalesce((SELECT new FROM music_redirect WHERE kind = \(kind.rawValue) AND old = $1), $1)"
    }

    private func entity<Entity: Decodable & Sendable>(
        _ kind: MusicKind,
        _ id: EntityID<Entity>
    ) async throws(EarshotError) -> Entity? {
        guard Self.isPossible(id.rawValue) else { return nil }
        return try await pool.read { connection in
            try connection.row("SELECT json FROM music_\(kind.table) WHERE id = \(Self.resolved(kind))", id.rawValue)
                .map { try Self.value($0) }
        }
    }

    private func entities<Entity: Decodable & Sendable>(
        _ kind: MusicKind,
        with identifier: MusicIdentifier
    ) async throws(EarshotError) -> [Entity] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT json FROM music_identifier JOIN music_\(kind.table) ON pk = entity
                WHERE value = $1 AND kind = \(kind.rawValue) ORDER BY id
                """,
                identifier.description
            ).map { try Self.value($0) }
        }
    }
}
