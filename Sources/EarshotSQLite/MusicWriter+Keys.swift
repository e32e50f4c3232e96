import EarshotCore
import EarshotMusic
import GRDB

// What entities are found by.
extension MusicWriter {
    mutating func spellings(_ credits: [ArtistCredit]) throws -> [String] {
        var names: [String] = []
        for credit in credits {
            names.append(credit.name)
            guard let id = credit.artist else { continue }
            if artistSpellings[id.rawValue] == nil {
                let artist: Artist? = try database.entity(.artist, id)
                artistSpellings[id.rawValue] = artist?.name.spellings ?? []
            }
            names += artistSpellings[id.rawValue] ?? []
        }
        return names
    }

    mutating func keys(of album: Album) throws -> SearchIndexEntry {
        SearchIndexEntry(album, artists: try spellings(album.credits))
    }

    mutating func keys(of track: Track) throws -> SearchIndexEntry {
        var album: Album?
        if let id = track.place?.album.rawValue {
            if albums[id] == nil { albums[id] = .some(try database.stored(.album, id)) }
            album = albums[id] ?? nil
        }
        let credits = SearchIndexEntry.credits(of: track, on: album)
        return SearchIndexEntry(track, on: album, artists: try spellings(credits))
    }

    func keys(of artist: Artist) -> SearchIndexEntry { SearchIndexEntry(artist) }

    mutating func keys(of lyrics: Lyrics) throws -> SearchIndexEntry {
        var artists: [String] = []
        for id in lyrics.tracks {
            guard let track: Track = try database.entity(.track, id) else { continue }
            artists += try spellings(track.credits)
        }
        return SearchIndexEntry(lyrics, artists: artists)
    }

    /// Replaces the search keys of an entity.
    mutating func put(
        _ keys: SearchIndexEntry,
        _ table: String,
        _ columns: [String],
        for id: String,
        popularity: Double
    ) throws -> Int64 {
        try dropKey(table, columns, id)
        let number = SearchIndexEntry.number(popularity: popularity, count: nextKey)
        nextKey += 1
        try put(keys, table, columns, number)
        return number
    }

    /// Adds the search keys of an entity that has none, under a number.
    mutating func put(_ keys: SearchIndexEntry, _ table: String, _ columns: [String], _ number: Int64) throws {
        let list = columns.joined(separator: ", ")
        let marks = databaseQuestionMarks(count: columns.count)
        let texts = StatementArguments(keys.columns)
        let insertion = "INSERT INTO \(table)_key (number, pk, name, \(list)) VALUES (?, 0, ?, \(marks))"
        try run(insertion, [number, keys.name] + texts)
        try run("INSERT INTO \(table)_text (rowid, \(list)) VALUES (?, \(marks))", [number] + texts)
        if table != "lyrics" { for column in keys.columns { try vocabulary.learn(column, in: database) } }
    }

    func dropKey(_ table: String, _ columns: [String], _ id: String) throws {
        let list = columns.joined(separator: ", ")
        let known = try database.cachedStatement(
            sql: "SELECT number, \(list) FROM \(table)_key WHERE number = (SELECT key FROM \(table) WHERE id = ?)"
        )
        guard let row = try Row.fetchOne(known, arguments: [id]) else { return }
        let number: Int64 = row[0]
        // An index with external content removes an entry only if it is given the texts that it has indexed.
        let texts = StatementArguments((1...columns.count).map { row[$0] as String })
        let marks = databaseQuestionMarks(count: columns.count)
        let removal = "INSERT INTO \(table)_text (\(table)_text, rowid, \(list)) VALUES ('delete', ?, \(marks))"
        try run(removal, [number] + texts)
        try run("DELETE FROM \(table)_key WHERE number = ?", [number])
    }

    func point(_ table: String, _ key: Int64, to pk: Int64) throws {
        try run("UPDATE \(table)_key SET pk = ? WHERE number = ?", [pk, key])
    }

    mutating func renewKeys(creditedTo artist: String) throws {
        let albums: [Album] = try database.credited(.album, to: artist)
        for album in albums { try put(album) }
        let tracks: [Track] = try database.credited(.track, to: artist)
        for track in tracks { try put(track) }
    }
}
