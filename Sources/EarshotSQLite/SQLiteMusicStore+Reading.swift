public import EarshotCore
public import EarshotMusic
public import Foundation
import GRDB

extension SQLiteMusicStore {
    /// Returns an artist; `nil` if it is not known.
    public func artist(_ id: EntityID<Artist>) async throws(EarshotError) -> Artist? {
        try await read { try $0.entity(.artist, id) }
    }

    /// Returns an album; `nil` if it is not known.
    public func album(_ id: EntityID<Album>) async throws(EarshotError) -> Album? {
        try await read { try $0.entity(.album, id) }
    }

    /// Returns a track; `nil` if it is not known.
    public func track(_ id: EntityID<Track>) async throws(EarshotError) -> Track? {
        try await read { try $0.entity(.track, id) }
    }

    /// Returns lyrics; `nil` if they are not known.
    public func lyrics(_ id: EntityID<Lyrics>) async throws(EarshotError) -> Lyrics? {
        try await read { database in
            try String.fetchOne(database, sql: "SELECT json FROM lyrics WHERE id = ?", arguments: [id.rawValue])
                .map(EntityJSON.value)
        }
    }

    /// Returns a picture with its bytes; `nil` if it is not known.
    public func picture(_ id: EntityID<Picture>) async throws(EarshotError) -> (picture: Picture, bytes: Data)? {
        try await read { database in
            let sql = "SELECT json, bytes FROM picture WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.rawValue]) else { return nil }
            return (try EntityJSON.value(row[0]), row[1])
        }
    }

    /// Returns the tracks of an album, in order of media and numbers.
    public func tracks(of album: EntityID<Album>) async throws(EarshotError) -> [Track] {
        try await read { database in
            let id = try database.resolved(.album, album.rawValue)
            let sql = "SELECT json FROM track WHERE album = ? ORDER BY medium, number IS NULL, number, id"
            return try String.fetchAll(database, sql: sql, arguments: [id]).map(EntityJSON.value)
        }
    }

    /// Returns the albums that are credited to an artist, in order of dates and ids.
    public func albums(
        of artist: EntityID<Artist>,
        offset: Int,
        limit: Int
    ) async throws(EarshotError) -> [Album] {
        try await read { database in
            let id = try database.resolved(.artist, artist.rawValue)
            let sql = """
                SELECT json FROM credit JOIN album ON album.pk = credit.entity WHERE credit.artist = ? AND credit.kind = ?
                ORDER BY date IS NULL, date, id LIMIT ? OFFSET ?
                """
            let arguments: StatementArguments = [id, MusicKind.album.rawValue, max(0, limit), max(0, offset)]
            return try String.fetchAll(database, sql: sql, arguments: arguments).map(EntityJSON.value)
        }
    }

    /// Returns the lyrics of a track, in order of ids.
    public func lyrics(of track: EntityID<Track>) async throws(EarshotError) -> [Lyrics] {
        try await read { database in
            let id = try database.resolved(.track, track.rawValue)
            let sql = """
                SELECT json FROM lyrics_track JOIN lyrics ON lyrics.pk = lyrics_track.lyrics WHERE track = ? ORDER BY id
                """
            return try String.fetchAll(database, sql: sql, arguments: [id]).map(EntityJSON.value)
        }
    }

    /// Returns the tracks with an external identifier, in order of ids.
    public func tracks(with identifier: MusicIdentifier) async throws(EarshotError) -> [Track] {
        try await read { try $0.entities(.track, with: identifier) }
    }

    /// Returns the albums with an external identifier, in order of ids.
    public func albums(with identifier: MusicIdentifier) async throws(EarshotError) -> [Album] {
        try await read { try $0.entities(.album, with: identifier) }
    }

    /// Returns the artists with an external identifier, in order of ids.
    public func artists(with identifier: MusicIdentifier) async throws(EarshotError) -> [Artist] {
        try await read { try $0.entities(.artist, with: identifier) }
    }

    /// Returns the value that a checkpoint last wrote under a name; `nil` if there is none.
    public func checkpoint(_ name: String) async throws(EarshotError) -> String? {
        try await read { database in
            try String.fetchOne(database, sql: "SELECT value FROM checkpoint WHERE name = ?", arguments: [name])
        }
    }

    /// Returns the numbers of what the store holds.
    public func counts() async throws(EarshotError) -> MusicCounts {
        try await read { database in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
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
}

extension Database {
    /// Returns the id that an id leads to after merges.
    func resolved(_ kind: MusicKind, _ id: String) throws -> String {
        // Merging shortens chains, so one step is enough.
        let statement = try cachedStatement(sql: "SELECT new FROM redirect WHERE kind = ? AND old = ?")
        return try String.fetchOne(statement, arguments: [kind.rawValue, id]) ?? id
    }

    func entity<Entity: Decodable & SendableMetatype, Owner>(_ kind: MusicKind, _ id: EntityID<Owner>) throws -> Entity?
    {
        let id = try resolved(kind, id.rawValue)
        return try stored(kind, id)
    }

    func entities<Entity: Decodable & SendableMetatype>(_ kind: MusicKind, with identifier: MusicIdentifier) throws
        -> [Entity]
    {
        let table = kind.table
        let sql = """
            SELECT json FROM identifier JOIN \(table) ON \(table).pk = identifier.entity
            WHERE value = ? AND kind = ? ORDER BY id
            """
        return try String.fetchAll(self, sql: sql, arguments: [identifier.description, kind.rawValue])
            .map(EntityJSON.value)
    }
}
