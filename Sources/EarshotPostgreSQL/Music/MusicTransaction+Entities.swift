import EarshotCore
import EarshotMusic
import Foundation

// Additions and changes of entities.
extension MusicTransaction {
    func put(_ artist: Artist) throws {
        try check(artist.id.rawValue, named: "an artist")
        let before = try current(artist.id)
        try keep(artist, SearchIndexEntry(artist))
        // The keys of albums and tracks contain the spellings of their artists.
        if let before, before.name.spellings != artist.name.spellings { try renewKeys(creditedTo: artist.id) }
    }

    func put(_ album: Album) throws {
        try check(album.id.rawValue, named: "an album")
        let before = try current(album.id)
        try keep(album, try keys(of: album))
        guard let before, before.title.spellings != album.title.spellings || before.credits != album.credits else {
            return
        }
        try forEachTrack(of: album.id) { track in try put(track) }
    }

    func put(_ track: Track) throws {
        try check(track.id.rawValue, named: "a track")
        var track = track
        if let album = track.place?.album { track.place?.album = try resolved(album) }
        _ = try current(track.id)
        try keep(track, try keys(of: track))
    }

    func put(_ lyrics: Lyrics) throws {
        try check(lyrics.id.rawValue, named: "lyrics")
        try keep(lyrics, number(popularity: 0), json: nil)
    }

    func put(_ picture: Picture, _ bytes: Data) throws {
        try check(picture.id.rawValue, named: "a picture")
        try connection.change(
            """
            INSERT INTO music_picture (id, json, bytes) VALUES ($1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET json = excluded.json, bytes = excluded.bytes
            """,
            picture.id.rawValue,
            try text(picture),
            bytes
        )
    }

    func setCheckpoint(_ name: String, _ value: String?) throws {
        guard ![name, value ?? ""].contains(where: { $0.utf8.contains(0) }) else {
            throw EarshotError(.metadataInvalid, "The checkpoint \"\(name)\" has a character U+0000: leave it out.")
        }
        guard let value else {
            try connection.change("DELETE FROM music_checkpoint WHERE name = $1", name)
            return
        }
        try connection.change(
            "INSERT INTO music_checkpoint (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            value
        )
    }

    private func check(_ id: String, named what: String) throws {
        guard (1...512).contains(id.utf8.count) else {
            throw EarshotError(
                .metadataInvalid,
                "The id \"\(id.prefix(40))\" of \(what) has \(id.utf8.count) bytes: use 1 to 512."
            )
        }
        guard !id.utf8.contains(0) else {
            throw EarshotError(.metadataInvalid, "The id of \(what) has a character U+0000: leave it out.")
        }
    }

    private func keep<Entity: MusicEntity>(_ entity: Entity, _ keys: SearchIndexEntry) throws {
        try keep(entity, keys, number(popularity: entity.popularity), json: nil)
    }

    private func keep<Entity: MusicEntity>(
        _ entity: Entity,
        _ keys: SearchIndexEntry,
        _ number: Int,
        json: String?
    ) throws {
        self[keyPath: Entity.changes].pending[entity.id] = MusicChanges.Pending(
            entity: entity,
            keys: keys,
            number: number,
            artists: Set(try entity.artists.map(resolved)),
            json: json
        )
    }

    private func keep(_ lyrics: Lyrics, _ number: Int, json: String?) throws {
        let artists = try lyrics.tracks.compactMap { try current(try resolved($0)) }.flatMap {
            try spellings($0.credits)
        }
        self.lyrics[lyrics.id] = PendingLyrics(
            lyrics: lyrics,
            keys: SearchIndexEntry(lyrics, artists: artists),
            number: number,
            tracks: Set(try lyrics.tracks.map(resolved)),
            json: json
        )
    }

    private func keys(of album: Album) throws -> SearchIndexEntry {
        SearchIndexEntry(album, artists: try spellings(album.credits))
    }

    private func keys(of track: Track) throws -> SearchIndexEntry {
        let album = try track.place.flatMap { try current($0.album) }
        let credits = SearchIndexEntry.credits(of: track, on: album)
        return SearchIndexEntry(track, on: album, artists: try spellings(credits))
    }

    // MARK: - Entities of another database

    /// Adds a new entity with its JSON and its key as they are in another database. Entities that it refers to must exist.
    func restore(_ change: MusicChange, _ json: String, _ key: Int) throws {
        switch change {
        case .artist(let artist): try keep(artist, SearchIndexEntry(artist), key, json: json)
        case .album(let album): try keep(album, try keys(of: album), key, json: json)
        case .track(let track): try keep(track, try keys(of: track), key, json: json)
        case .lyrics(let lyrics): try keep(lyrics, key, json: json)
        default: try apply(change)
        }
    }

    /// Returns all spellings of the artists of credits.
    private func spellings(_ credits: [ArtistCredit]) throws -> [String] {
        try credits.flatMap { credit in
            let artist = try credit.artist.flatMap { try current(try resolved($0)) }
            return [credit.name] + (artist?.name.spellings ?? [])
        }
    }

    private func renewKeys(creditedTo artist: EntityID<Artist>) throws {
        try forEach(creditedTo: artist) { (album: Album) in try put(album) }
        try forEach(creditedTo: artist) { (track: Track) in try put(track) }
    }

    // MARK: - Many

    /// The most entities that are read by one statement.
    private static var page: Int { 500 }

    /// Calls a function with each track of an album. It may change the track.
    func forEachTrack(of album: EntityID<Album>, _ body: (Track) throws -> Void) throws {
        try forEach("FROM music_track WHERE album = $1", album.rawValue, body)
    }

    /// Calls a function with each entity that an artist is credited with. It may change the entity.
    func forEach<Entity: MusicEntity>(creditedTo artist: EntityID<Artist>, _ body: (Entity) throws -> Void) throws {
        let table = Entity.kind.table
        try forEach(
            "FROM music_credit JOIN music_\(table) ON pk = entity WHERE artist = $1 AND kind = \(Entity.kind.rawValue)",
            artist.rawValue,
            body
        )
    }

    private func forEach<Entity: MusicEntity>(_ rows: String, _ key: String, _ body: (Entity) throws -> Void) throws {
        guard PostgreSQLMusicStore.isPossible(key) else { return }
        var last = 0
        while true {
            try flush()
            let page = try connection.rows(
                "SELECT pk, json \(rows) AND pk > $2 ORDER BY pk LIMIT $3",
                key,
                last,
                Self.page
            )
            for row in page {
                let entity: Entity = try PostgreSQLMusicStore.value(row)
                self[keyPath: Entity.changes].stored[entity.id] = entity
                last = try row.required("pk", row.integer)
                try body(entity)
            }
            guard page.count == Self.page else { return }
        }
    }
}
