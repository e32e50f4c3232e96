import EarshotCore
import EarshotMusic

// What goes, and what becomes one.
extension MusicTransaction {
    func remove<Entity: MusicEntity>(_ id: EntityID<Entity>) throws {
        try flush()
        self[keyPath: Entity.changes].stored[id] = .some(nil)
        guard PostgreSQLMusicStore.isPossible(id.rawValue) else { return }
        let (table, kind) = (Entity.kind.table, Entity.kind.rawValue)
        try dropKeys(table, of: [id.rawValue])
        let row = try connection.row("DELETE FROM music_\(table) WHERE id = $1 RETURNING pk, json", id.rawValue)
        guard let row else { return }
        let place = try row.required("pk", row.integer)
        let entity: Entity = try PostgreSQLMusicStore.value(row)
        try removeIdentifiers(entity.identifiers.map { ($0.description, place) }, kind)
        try connection.change("DELETE FROM music_credit WHERE kind = \(kind) AND entity = $1", place)
    }

    func removeAlbum(_ id: EntityID<Album>) throws {
        try forEachTrack(of: id) { track in
            var track = track
            track.place = nil
            try put(track)
        }
        try remove(id)
    }

    func removeLyrics(_ id: EntityID<Lyrics>) throws {
        try flush()
        guard PostgreSQLMusicStore.isPossible(id.rawValue) else { return }
        try dropKeys("lyrics", of: [id.rawValue])
        try connection.change("DELETE FROM music_lyrics WHERE id = $1", id.rawValue)
    }

    /// Removes an entity whose identifier leads to another one from now on.
    ///
    /// - Parameter move: Gives what belongs to the first to the second.
    func merge<Entity: MusicEntity>(
        _ old: EntityID<Entity>,
        into new: EntityID<Entity>,
        _ move: (_ old: EntityID<Entity>, _ new: EntityID<Entity>) throws -> Void
    ) throws {
        let target = try resolved(new)
        guard old != target else {
            throw EarshotError(.metadataInvalid, "\(old) cannot be merged into itself: name two different ids.")
        }
        guard try current(target) != nil else {
            throw EarshotError(
                .metadataInvalid,
                "\(old) cannot be merged into \(new), which is not there: add that first."
            )
        }
        guard PostgreSQLMusicStore.isPossible(old.rawValue) else {
            throw EarshotError(
                .metadataInvalid,
                "The id to merge into \(new) is not valid: use 1 to 512 bytes without U+0000."
            )
        }
        try flush()
        try move(old, target)
        try remove(old)
        let kind = Entity.kind.rawValue
        try connection.change(
            "UPDATE music_redirect SET new = $2 WHERE kind = \(kind) AND new = $1",
            old.rawValue,
            target.rawValue
        )
        try connection.change(
            """
            INSERT INTO music_redirect (kind, old, new) VALUES (\(kind), $1, $2)
            ON CONFLICT (kind, old) DO UPDATE SET new = excluded.new
            """,
            old.rawValue,
            target.rawValue
        )
        forgetRedirects()
    }

    func moveCredits(from old: EntityID<Artist>, to new: EntityID<Artist>) throws {
        func moved(_ credits: [ArtistCredit]) -> [ArtistCredit] {
            credits.map { credit in
                var credit = credit
                if credit.artist == old { credit.artist = new }
                return credit
            }
        }
        try forEach(creditedTo: old) { (album: Album) in
            var album = album
            album.credits = moved(album.credits)
            try put(album)
        }
        try forEach(creditedTo: old) { (track: Track) in
            var track = track
            track.credits = moved(track.credits)
            try put(track)
        }
    }

    func moveTracks(from old: EntityID<Album>, to new: EntityID<Album>) throws {
        try forEachTrack(of: old) { track in
            var track = track
            track.place?.album = new
            try put(track)
        }
    }

    func moveLyrics(from old: EntityID<Track>, to new: EntityID<Track>) throws {
        try connection.change(
            """
            INSERT INTO music_lyrics_track (track, lyrics) SELECT $2, lyrics FROM music_lyrics_track WHERE track = $1
            ON CONFLICT DO NOTHING
            """,
            old.rawValue,
            new.rawValue
        )
        try connection.change("DELETE FROM music_lyrics_track WHERE track = $1", old.rawValue)
    }
}
