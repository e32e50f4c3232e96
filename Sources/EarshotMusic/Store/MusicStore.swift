public import EarshotCore
public import Foundation

/// A store of artists, albums and tracks.
///
/// Identifiers of merged entities lead to the entity they were merged into, over any number of steps. All functions may
/// be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
public protocol MusicStore: Sendable {
    /// An artist; `nil` if it is not known.
    func artist(_ id: EntityID<Artist>) async throws(EarshotError) -> Artist?
    /// An album; `nil` if it is not known.
    func album(_ id: EntityID<Album>) async throws(EarshotError) -> Album?
    /// A track; `nil` if it is not known.
    func track(_ id: EntityID<Track>) async throws(EarshotError) -> Track?
    /// Words; `nil` if they are not known.
    func lyrics(_ id: EntityID<Lyrics>) async throws(EarshotError) -> Lyrics?
    /// A picture with its bytes; `nil` if it is not known.
    func picture(_ id: EntityID<Picture>) async throws(EarshotError) -> (picture: Picture, bytes: Data)?

    /// The tracks of an album, in order of media and numbers.
    func tracks(of album: EntityID<Album>) async throws(EarshotError) -> [Track]
    /// The albums that are credited to an artist, in order of dates and ids.
    func albums(of artist: EntityID<Artist>, offset: Int, limit: Int) async throws(EarshotError) -> [Album]
    /// The words of a track.
    func lyrics(of track: EntityID<Track>) async throws(EarshotError) -> [Lyrics]

    /// The tracks that carry an identifier, in order of ids; likewise the others.
    func tracks(with identifier: MusicIdentifier) async throws(EarshotError) -> [Track]
    /// The albums that carry an identifier.
    func albums(with identifier: MusicIdentifier) async throws(EarshotError) -> [Album]
    /// The artists that carry an identifier.
    func artists(with identifier: MusicIdentifier) async throws(EarshotError) -> [Artist]

    /// The hits for a text, best first: tracks if the query names a track or any text, albums if it names only an
    /// album, artists if it names only an artist. If nothing matches exactly, small spelling mistakes are tolerated.
    func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit]
    /// The tracks whose words hold a fragment, the best first.
    func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit]

    /// The value that ``MusicChange/checkpoint(_:value:)`` last wrote under a name.
    func checkpoint(_ name: String) async throws(EarshotError) -> String?

    /// The number of entities of each kind.
    func counts() async throws(EarshotError) -> MusicCounts

    /// The number of changes so far, which caches compare to check that their answers are still valid.
    func generation() async throws(EarshotError) -> Int

    /// Makes changes, in order, all of them or none. When this returns they are kept, whatever happens to the machine.
    ///
    /// - Throws: `metadataInvalid` for an invalid change, such as merging an entity into itself; nothing has changed
    ///   then.
    func apply(_ changes: [MusicChange]) async throws(EarshotError)
}

/// The number of entities of each kind in a store.
public struct MusicCounts: Hashable, Sendable, Codable {
    /// Artists.
    public var artists = 0
    /// Albums.
    public var albums = 0
    /// Tracks.
    public var tracks = 0
    /// Words of tracks.
    public var lyrics = 0
    /// Pictures.
    public var pictures = 0

    /// An empty store's.
    public init() {}
}
