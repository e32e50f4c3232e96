import EarshotMusic

/// An entity with a table of its own, a search key, credits and external identifiers such as ISRCs.
protocol MusicEntity: Codable, Sendable {
    static var kind: MusicKind { get }
    /// The columns of its table besides those that all entities have.
    static var columns: [MusicColumn<Self>] { get }
    /// The place of its changes in a transaction.
    static var changes: ReferenceWritableKeyPath<MusicTransaction, MusicChanges<Self>> { get }

    var id: EntityID<Self> { get }
    var artists: Set<EntityID<Artist>> { get }
    var identifiers: Set<MusicIdentifier> { get }
    var popularity: Double { get }
}

/// A column whose value is taken from an entity.
enum MusicColumn<Entity: Sendable>: Sendable {
    case text(String, @Sendable (Entity) -> String?)
    case integer(String, @Sendable (Entity) -> Int?)

    var name: String {
        switch self {
        case .text(let name, _), .integer(let name, _): name
        }
    }

    /// The SQL of the value in a statement that adds several rows. Arrays of parameters contain no `NULL`: the empty text or ``missing`` stands
    /// for it.
    var value: String {
        switch self {
        case .text(let name, _): "nullif(\(name), '')"
        case .integer(let name, _): "nullif(\(name), \(Self.missing))"
        }
    }

    func values(_ entities: [Entity]) -> PostgreSQLValue {
        switch self {
        case .text(_, let value): .texts(entities.map { value($0) ?? "" })
        case .integer(_, let value): .integers(entities.map { value($0) ?? Self.missing })
        }
    }

    private static var missing: Int { -1 << 62 }
}

/// Entities of a kind during a transaction.
struct MusicChanges<Entity: MusicEntity> {
    /// An entity that is to be written.
    struct Pending {
        var entity: Entity
        var keys: SearchIndexEntry
        var number: Int
        /// The identifiers of the credited artists, after merges.
        var artists: Set<EntityID<Artist>>
        /// The JSON of an entity from another database; `nil` to encode the entity.
        var json: String?
    }

    /// The entities in the database, as far as they were read; `nil` for one that is not there.
    var stored: [EntityID<Entity>: Entity?] = [:]
    var pending: [EntityID<Entity>: Pending] = [:]
}

extension Artist: MusicEntity {
    static var kind: MusicKind { .artist }
    static var columns: [MusicColumn<Artist>] { [] }
    static var changes: ReferenceWritableKeyPath<MusicTransaction, MusicChanges<Artist>> { \.artists }
    var artists: Set<EntityID<Artist>> { [] }
}

extension Album: MusicEntity {
    static var kind: MusicKind { .album }
    static var columns: [MusicColumn<Album>] { [.text("date") { $0.date?.description }] }
    static var changes: ReferenceWritableKeyPath<MusicTransaction, MusicChanges<Album>> { \.albums }
    var artists: Set<EntityID<Artist>> { Set(credits.compactMap(\.artist)) }
}

extension Track: MusicEntity {
    static var kind: MusicKind { .track }
    static var columns: [MusicColumn<Track>] {
        [
            .text("album") { track in
                track.place.map(\.album.rawValue).flatMap { PostgreSQLMusicStore.isPossible($0) ? $0 : nil }
            },
            .integer("medium") { $0.place?.medium }, .integer("place") { $0.place?.number },
        ]
    }
    static var changes: ReferenceWritableKeyPath<MusicTransaction, MusicChanges<Track>> { \.tracks }
    var artists: Set<EntityID<Artist>> { Set(credits.compactMap(\.artist)) }
}
