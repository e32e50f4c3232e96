import EarshotCore
import EarshotMusic
import GRDB

// What goes, and what becomes one.
extension MusicWriter {
    func identifiers(_ kind: MusicKind, _ id: String) throws -> Set<MusicIdentifier> {
        switch kind {
        case .artist: (try database.stored(kind, id) as Artist?)?.identifiers ?? []
        case .album: (try database.stored(kind, id) as Album?)?.identifiers ?? []
        case .track: (try database.stored(kind, id) as Track?)?.identifiers ?? []
        }
    }

    mutating func remove(_ kind: MusicKind, _ id: String) throws {
        // The remembered spellings and albums may be those of the removed entity.
        (artistSpellings, albums) = ([:], [:])
        let table = kind.table
        guard let pk = try database.row(kind, id) else { return }
        try dropKey(table, kind.columns, id)
        for identifier in try identifiers(kind, id) {
            let sql = "DELETE FROM identifier WHERE value = ? AND kind = ? AND entity = ?"
            try run(sql, [identifier.description, kind.rawValue, pk])
        }
        try run("DELETE FROM credit WHERE kind = ? AND entity = ?", [kind.rawValue, pk])
        try run("DELETE FROM \(table) WHERE pk = ?", [pk])
    }

    mutating func removeAlbum(_ id: EntityID<Album>) throws {
        let tracks = try database.tracks(ofAlbum: id.rawValue)
        try remove(.album, id.rawValue)
        for var track in tracks {
            track.place = nil
            try put(track)
        }
    }

    func removeLyrics(_ id: EntityID<Lyrics>) throws {
        try dropKey("lyrics", ["words", "artist"], id.rawValue)
        try run("DELETE FROM lyrics WHERE id = ?", [id.rawValue])
    }

    mutating func merge(_ kind: MusicKind, _ old: String, into new: String) throws {
        let target = try database.resolved(kind, new)
        guard old != target else {
            throw EarshotError(.metadataInvalid, "\(old) cannot be merged into itself: name two different ids.")
        }
        guard try database.row(kind, target) != nil else {
            throw EarshotError(
                .metadataInvalid,
                "\(old) cannot be merged into \(new), which is not there: add that first."
            )
        }
        switch kind {
        case .artist: try moveCredits(from: old, to: target)
        case .album:
            for var track in try database.tracks(ofAlbum: old) {
                track.place?.album = EntityID(target)
                try put(track)
            }
        case .track: try run("UPDATE OR REPLACE lyrics_track SET track = ? WHERE track = ?", [target, old])
        }
        try remove(kind, old)
        try run("UPDATE redirect SET new = ? WHERE kind = ? AND new = ?", [target, kind.rawValue, old])
        try run("INSERT OR REPLACE INTO redirect VALUES (?, ?, ?)", [kind.rawValue, old, target])
    }

    mutating func moveCredits(from old: String, to new: String) throws {
        func moved(_ credits: [ArtistCredit]) -> [ArtistCredit] {
            credits.map { credit in
                var credit = credit
                if credit.artist?.rawValue == old { credit.artist = EntityID(new) }
                return credit
            }
        }
        let albums: [Album] = try database.credited(.album, to: old)
        for var album in albums {
            album.credits = moved(album.credits)
            try put(album)
        }
        let tracks: [Track] = try database.credited(.track, to: old)
        for var track in tracks {
            track.credits = moved(track.credits)
            try put(track)
        }
    }
}
