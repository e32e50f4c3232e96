import EarshotCore
import EarshotMusic
import Foundation
import GRDB

/// Makes changes within one transaction.
struct MusicWriter {
    let database: Database
    /// The number of keys that were ever given: the next key is made from it.
    var nextKey: Int64
    private let firstKey: Int64
    var vocabulary = Vocabulary()
    private let encoder = EntityJSON.encoder
    /// The spellings of artists' names, which are in the search keys of their tracks and albums. Each artist is read once
    /// per transaction.
    var artistSpellings: [String: [String]] = [:]
    var albums: [String: Album?] = [:]

    init(_ database: Database) throws {
        self.database = database
        let sql = "SELECT value FROM setting WHERE name = 'nextKey'"
        firstKey = try String.fetchOne(database, sql: sql).flatMap { Int64($0) } ?? 0
        nextKey = firstKey
    }

    /// Stores the number of given keys for the next transaction.
    func finish() throws {
        guard nextKey != firstKey else { return }
        try run("INSERT OR REPLACE INTO setting VALUES ('nextKey', ?)", [String(nextKey)])
    }

    mutating func apply(_ change: MusicChange) throws {
        switch change {
        case .artist(let artist): try put(artist)
        case .album(let album): try put(album)
        case .track(let track): try put(track)
        case .lyrics(let lyrics): try put(lyrics)
        case .picture(let picture, let bytes): try put(picture, bytes)
        case .removeArtist(let id): try remove(.artist, id.rawValue)
        case .removeAlbum(let id): try removeAlbum(id)
        case .removeTrack(let id): try remove(.track, id.rawValue)
        case .removeLyrics(let id): try removeLyrics(id)
        case .removePicture(let id): try run("DELETE FROM picture WHERE id = ?", [id.rawValue])
        case .checkpoint(let name, let value?):
            try run("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)", [name, value])
        case .checkpoint(let name, nil): try run("DELETE FROM checkpoint WHERE name = ?", [name])
        case .mergeArtist(let old, let new): try merge(.artist, old.rawValue, into: new.rawValue)
        case .mergeAlbum(let old, let new): try merge(.album, old.rawValue, into: new.rawValue)
        case .mergeTrack(let old, let new): try merge(.track, old.rawValue, into: new.rawValue)
        }
    }

    func text(_ entity: some Encodable) throws -> String {
        String(decoding: try encoder.encode(entity), as: UTF8.self)
    }

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    // MARK: - Entities

    mutating func put(_ artist: Artist) throws {
        try check(artist.id.rawValue, named: "an artist")
        let before: Artist? = try database.stored(.artist, artist.id.rawValue)
        artistSpellings[artist.id.rawValue] = artist.name.spellings
        let keys = SearchIndexEntry(artist)
        let columns = MusicKind.artist.columns
        let key = try put(keys, "artist", columns, for: artist.id.rawValue, popularity: artist.popularity)
        try keep(artist, try text(artist), key, before)
        // The keys of albums and tracks contain the spellings of their artists.
        if let before, before.name.spellings != artist.name.spellings { try renewKeys(creditedTo: artist.id.rawValue) }
    }

    mutating func put(_ album: Album) throws {
        try check(album.id.rawValue, named: "an album")
        let before: Album? = try database.stored(.album, album.id.rawValue)
        albums[album.id.rawValue] = album
        let keys = try keys(of: album)
        let key = try put(keys, "album", MusicKind.album.columns, for: album.id.rawValue, popularity: album.popularity)
        try keep(album, try text(album), key, before)
        guard let before, before.title.spellings != album.title.spellings || before.credits != album.credits else {
            return
        }
        for track in try database.tracks(ofAlbum: album.id.rawValue) { try put(track) }
    }

    mutating func put(_ track: Track) throws {
        try check(track.id.rawValue, named: "a track")
        var track = track
        if let album = track.place?.album {
            track.place?.album = EntityID(try database.resolved(.album, album.rawValue))
        }
        let keys = try keys(of: track)
        let id = track.id.rawValue
        let before: Track? = try database.stored(.track, id)
        let key = try put(keys, "track", MusicKind.track.columns, for: id, popularity: track.popularity)
        try keep(track, try text(track), key, before)
    }

    mutating func put(_ lyrics: Lyrics) throws {
        try check(lyrics.id.rawValue, named: "lyrics")
        let keys = try keys(of: lyrics)
        let key = try put(keys, "lyrics", ["words", "artist"], for: lyrics.id.rawValue, popularity: 0)
        try keep(lyrics, try text(lyrics), key)
    }

    func put(_ picture: Picture, _ bytes: Data) throws {
        try check(picture.id.rawValue, named: "a picture")
        let sql = """
            INSERT INTO picture (id, json, bytes) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET json = excluded.json, bytes = excluded.bytes
            """
        try run(sql, [picture.id.rawValue, try text(picture), bytes])
    }

    func check(_ id: String, named what: String) throws {
        guard (1...512).contains(id.utf8.count) else {
            throw EarshotError(
                .metadataInvalid,
                "The id \"\(id.prefix(40))\" of \(what) has \(id.utf8.count) bytes: use 1 to 512."
            )
        }
    }

    /// Writes the row of an entity, new or changed, and returns its key.
    func row(_ table: String, _ id: String, _ key: Int64, _ json: String) throws -> Int64 {
        let sql = """
            INSERT INTO \(table) (id, key, json) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET key = excluded.key, json = excluded.json RETURNING pk
            """
        let arguments: StatementArguments = [id, key, json]
        guard let pk = try Int64.fetchOne(try database.cachedStatement(sql: sql), arguments: arguments) else {
            throw EarshotError(.internalError, "SQLite returned no row number for \(id): please report this.")
        }
        return pk
    }

    func setCredits(_ credits: [ArtistCredit], _ kind: MusicKind, _ pk: Int64) throws {
        try run("DELETE FROM credit WHERE kind = ? AND entity = ?", [kind.rawValue, pk])
        for artist in Set(credits.compactMap(\.artist)) {
            let id = try database.resolved(.artist, artist.rawValue)
            try run("INSERT OR IGNORE INTO credit VALUES (?, ?, ?)", [id, kind.rawValue, pk])
        }
    }

    func setIdentifiers(
        _ identifiers: Set<MusicIdentifier>,
        in before: Set<MusicIdentifier>?,
        _ kind: MusicKind,
        _ pk: Int64
    ) throws {
        for identifier in (before ?? []).subtracting(identifiers) {
            let sql = "DELETE FROM identifier WHERE value = ? AND kind = ? AND entity = ?"
            try run(sql, [identifier.description, kind.rawValue, pk])
        }
        for identifier in identifiers.subtracting(before ?? []) {
            try run("INSERT INTO identifier VALUES (?, ?, ?)", [identifier.description, kind.rawValue, pk])
        }
    }
}

extension Database {
    /// Returns the stored entity; `nil` if there is none. Does not follow merges.
    func stored<Entity: Decodable & SendableMetatype>(_ kind: MusicKind, _ id: String) throws -> Entity? {
        let statement = try cachedStatement(sql: "SELECT json FROM \(kind.table) WHERE id = ?")
        return try String.fetchOne(statement, arguments: [id]).map(EntityJSON.value)
    }

    func row(_ kind: MusicKind, _ id: String) throws -> Int64? {
        let statement = try cachedStatement(sql: "SELECT pk FROM \(kind.table) WHERE id = ?")
        return try Int64.fetchOne(statement, arguments: [id])
    }

    func tracks(ofAlbum id: String) throws -> [Track] {
        try String.fetchAll(self, sql: "SELECT json FROM track WHERE album = ?", arguments: [id]).map(EntityJSON.value)
    }

    func credited<Entity: Decodable & SendableMetatype>(_ kind: MusicKind, to artist: String) throws -> [Entity] {
        let sql = """
            SELECT json FROM credit JOIN \(kind.table) ON \(kind.table).pk = credit.entity
            WHERE credit.artist = ? AND credit.kind = ?
            """
        return try String.fetchAll(self, sql: sql, arguments: [artist, kind.rawValue]).map(EntityJSON.value)
    }
}
