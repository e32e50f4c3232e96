import EarshotMusic
import GRDB

// The rows of entities, once their keys are written.
extension MusicWriter {
    func keep(_ artist: Artist, _ json: String, _ key: Int64, _ before: Artist?) throws {
        let pk = try row("artist", artist.id.rawValue, key, json)
        try point("artist", key, to: pk)
        try setIdentifiers(artist.identifiers, in: before?.identifiers, .artist, pk)
    }

    func keep(_ album: Album, _ json: String, _ key: Int64, _ before: Album?) throws {
        let pk = try row("album", album.id.rawValue, key, json)
        try run("UPDATE album SET date = ? WHERE pk = ?", [album.date?.description, pk])
        try point("album", key, to: pk)
        try setCredits(album.credits, .album, pk)
        try setIdentifiers(album.identifiers, in: before?.identifiers, .album, pk)
    }

    func keep(_ track: Track, _ json: String, _ key: Int64, _ before: Track?) throws {
        let pk = try row("track", track.id.rawValue, key, json)
        try run(
            "UPDATE track SET album = ?, medium = ?, number = ? WHERE pk = ?",
            [track.place?.album.rawValue, track.place?.medium, track.place?.number, pk]
        )
        try point("track", key, to: pk)
        try setCredits(track.credits, .track, pk)
        try setIdentifiers(track.identifiers, in: before?.identifiers, .track, pk)
    }

    func keep(_ lyrics: Lyrics, _ json: String, _ key: Int64) throws {
        let pk = try row("lyrics", lyrics.id.rawValue, key, json)
        try point("lyrics", key, to: pk)
        try run("DELETE FROM lyrics_track WHERE lyrics = ?", [pk])
        for track in Set(lyrics.tracks) {
            let id = try database.resolved(.track, track.rawValue)
            try run("INSERT OR IGNORE INTO lyrics_track VALUES (?, ?)", [id, pk])
        }
    }

    // MARK: - Entities of another database

    /// Adds an artist with its JSON and its key as they are in another database. As in the functions below, entities that it refers to must exist.
    mutating func restore(_ artist: Artist, _ json: String, _ key: Int64) throws {
        try put(keys(of: artist), "artist", MusicKind.artist.columns, key)
        try keep(artist, json, key, nil)
    }

    mutating func restore(_ album: Album, _ json: String, _ key: Int64) throws {
        try put(try keys(of: album), "album", MusicKind.album.columns, key)
        try keep(album, json, key, nil)
    }

    mutating func restore(_ track: Track, _ json: String, _ key: Int64) throws {
        try put(try keys(of: track), "track", MusicKind.track.columns, key)
        try keep(track, json, key, nil)
    }

    mutating func restore(_ lyrics: Lyrics, _ json: String, _ key: Int64) throws {
        try put(try keys(of: lyrics), "lyrics", ["words", "artist"], key)
        try keep(lyrics, json, key)
    }
}
