import EarshotCore
import EarshotMusic
import Foundation

/// Makes changes within one transaction.
///
/// Changes come by hundreds, and a statement for each would cost a round trip to the server. So entities are read before all changes,
/// changed in memory, and written together.
final class MusicTransaction {
    let connection: PostgreSQLConnection
    /// The number of keys that were ever given: the next key is made from it.
    private var nextKey: Int
    private let firstKey: Int
    var artists = MusicChanges<Artist>()
    var albums = MusicChanges<Album>()
    var tracks = MusicChanges<Track>()
    var lyrics: [EntityID<Lyrics>: PendingLyrics] = [:]
    /// The identifiers that merged ones lead to, as far as they were read.
    private var redirects: [MusicKind: [EntityID<MusicKind>: String]] = [:]
    var tiers: [String: MusicTiers] = [:]
    /// The words of names that are known to be in the database.
    var knownWords: Set<String> = []
    var newWords: Set<String> = []
    private let encoder = JSONEncoder.sorted()

    /// Lyrics that are to be written.
    struct PendingLyrics {
        var lyrics: Lyrics
        var keys: SearchIndexEntry
        var number: Int
        var tracks: Set<EntityID<Track>>
        /// The JSON of lyrics from another database; `nil` to encode the lyrics.
        var json: String?
    }

    /// Begins, and waits until no other node writes: a row is locked until the transaction ends, so that entities which are read and then
    /// changed cannot be changed by others meanwhile.
    init(_ connection: PostgreSQLConnection) throws {
        self.connection = connection
        let row = try connection.row("UPDATE music_state SET generation = generation + 1 RETURNING next_key")
        guard let row else {
            throw EarshotError(.storeDamaged, "The store of music has lost its state: restore it from a backup.")
        }
        firstKey = try row.required("next_key", row.integer)
        nextKey = firstKey
    }

    /// Writes all pending changes and the tiers.
    func finish() throws {
        try flush()
        for table in tiers.keys.sorted() { try tiers[table]?.balance(connection) }
        if !tiers.isEmpty { try MusicTables.settle(tiers.keys.sorted(), connection) }
        if nextKey != firstKey { try connection.change("UPDATE music_state SET next_key = $1", nextKey) }
    }

    func apply(_ change: MusicChange) throws {
        switch change {
        case .artist(let artist): try put(artist)
        case .album(let album): try put(album)
        case .track(let track): try put(track)
        case .lyrics(let lyrics): try put(lyrics)
        case .picture(let picture, let bytes): try put(picture, bytes)
        case .removeArtist(let id): try remove(id)
        case .removeAlbum(let id): try removeAlbum(id)
        case .removeTrack(let id): try remove(id)
        case .removeLyrics(let id): try removeLyrics(id)
        case .removePicture(let id):
            guard PostgreSQLMusicStore.isPossible(id.rawValue) else { return }
            try connection.change("DELETE FROM music_picture WHERE id = $1", id.rawValue)
        case .checkpoint(let name, let value): try setCheckpoint(name, value)
        case .mergeArtist(let old, let new): try merge(old, into: new, moveCredits)
        case .mergeAlbum(let old, let new): try merge(old, into: new, moveTracks)
        case .mergeTrack(let old, let new): try merge(old, into: new, moveLyrics)
        }
    }

    func text(_ entity: some Encodable) throws -> String { try encoder.text(entity) }

    /// Returns the number of a new key, by which keys are sorted: the more popular, the lower.
    func number(popularity: Double) -> Int {
        defer { nextKey += 1 }
        return Int(SearchIndexEntry.number(popularity: popularity, count: Int64(nextKey)))
    }

    // MARK: - What is there

    /// Reads all entities that changes need, by a few statements.
    func prepare(for changes: [MusicChange]) throws {
        guard changes.count > 1 else { return }
        var (artists, albums, tracks): (Set<EntityID<Artist>>, Set<EntityID<Album>>, Set<EntityID<Track>>) = (
            [], [], []
        )
        for change in changes {
            switch change {
            case .artist(let artist): artists.insert(artist.id)
            case .album(let album):
                albums.insert(album.id)
                artists.formUnion(album.artists)
            case .track(let track):
                tracks.insert(track.id)
                artists.formUnion(track.artists)
                if let album = track.place?.album { albums.insert(album) }
            case .lyrics(let lyrics): tracks.formUnion(lyrics.tracks)
            default: break
            }
        }
        try load(artists.union(try resolve(artists)))
        try load(tracks.union(try resolve(tracks)))
        albums.formUnion(try resolve(albums))
        try load(albums)
        // The artists of albums that do not change, but whose tracks do: the keys of tracks contain them.
        let credited = albums.compactMap { self.albums.stored[$0] ?? nil }.flatMap(\.artists)
        try load(Set(credited).union(try resolve(Set(credited))))
    }

    /// Returns an entity with its pending change; `nil` if there is none. Does not follow merges.
    func current<Entity: MusicEntity>(_ id: EntityID<Entity>) throws -> Entity? {
        if let pending = self[keyPath: Entity.changes].pending[id] { return pending.entity }
        if self[keyPath: Entity.changes].stored[id] == nil { try load([id]) }
        return self[keyPath: Entity.changes].stored[id] ?? nil
    }

    /// Reads entities that were not read yet.
    private func load<Entity: MusicEntity>(_ ids: Set<EntityID<Entity>>) throws {
        let known = self[keyPath: Entity.changes].stored
        let wanted = ids.filter { known[$0] == nil }
        guard !wanted.isEmpty else { return }
        for id in wanted { self[keyPath: Entity.changes].stored[id] = .some(nil) }
        let possible = wanted.map(\.rawValue).filter(PostgreSQLMusicStore.isPossible)
        guard !possible.isEmpty else { return }
        let rows = try connection.rows(
            "SELECT json FROM music_\(Entity.kind.table) WHERE id = ANY ($1)",
            PostgreSQLValue.texts(possible)
        )
        for row in rows {
            let entity: Entity = try PostgreSQLMusicStore.value(row)
            self[keyPath: Entity.changes].stored[entity.id] = entity
        }
    }

    /// Returns the identifier that an identifier leads to after merges.
    func resolved<Entity: MusicEntity>(_ id: EntityID<Entity>) throws -> EntityID<Entity> {
        let known = EntityID<MusicKind>(id.rawValue)
        if redirects[Entity.kind]?[known] == nil { _ = try resolve([id]) }
        return EntityID(redirects[Entity.kind]?[known] ?? id.rawValue)
    }

    private func resolve<Entity: MusicEntity>(_ ids: Set<EntityID<Entity>>) throws -> Set<EntityID<Entity>> {
        let possible = ids.map(\.rawValue).filter(PostgreSQLMusicStore.isPossible)
        for id in ids { redirects[Entity.kind, default: [:]][EntityID(id.rawValue)] = id.rawValue }
        guard !possible.isEmpty else { return ids }
        let rows = try connection.rows(
            "SELECT old, new FROM music_redirect WHERE kind = \(Entity.kind.rawValue) AND old = ANY ($1)",
            PostgreSQLValue.texts(possible)
        )
        var resolved = ids
        for row in rows {
            let new = try row.required("new", row.text)
            redirects[Entity.kind, default: [:]][EntityID(try row.required("old", row.text))] = new
            resolved.insert(EntityID(new))
        }
        return resolved
    }

    /// Forgets the identifiers that were read for merged ones.
    func forgetRedirects() { redirects = [:] }

    /// Calls a function with the tiers of a kind, which are read at their first use.
    func withTiers<Value>(_ table: String, _ body: (inout MusicTiers) throws -> Value) throws -> Value {
        var read = try tiers[table] ?? MusicTiers(table, connection)
        defer { tiers[table] = read }
        return try body(&read)
    }
}
