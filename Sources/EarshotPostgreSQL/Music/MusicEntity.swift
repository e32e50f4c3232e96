import EarshotMusic

/// An entity that has a table of its own, a key for searching, credits and identifiers of the trade.
protocol MusicEntity: Codable, Sendable {
    static var kind: MusicKind { get }
    /// The columns of its table besides those of all.
    static var columns: [MusicColumn<Self>] { get }
    /// The place of its changes in a transaction.
    static var changes: ReferenceWritableKeyPath<MusicTransaction, MusicChanges<Self>> { get }

    var id: EntityID<Self> { get }
    var artists: Set<EntityID<Artist>> { get }
    var identifiers: Set<MusicIdentifier> { get }
    var popularity: Double { get }
}

/// A column that is taken out of an entity.
enum MusicColumn<Entity: Sendable>: Sendable {
    case text(String, @Sendable (Entity) -> String?)
    case integer(String, @Sendable (Entity) -> Int?)

    var name: String {
        switch self {
        case .text(let name, _), .integer(let name, _): name
        }
    }

    /// The value in a statement that adds several rows; an array of parameters has no `NULL`.
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
        /// The artists that it is credited to, by the identifiers that they have become.
        var artists: Set<EntityID<Artist>>
        /// The JSON of one that comes from another database; `nil` if it is made of the entity.
        var json: String?
    }

    /// The entities as they are in the database, of those that were asked for; `nil` for what is not there.
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
