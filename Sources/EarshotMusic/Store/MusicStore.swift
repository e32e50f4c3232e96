public import EarshotCore
public import Foundation

/// A store of artists, albums and tracks.
///
/// Identifiers of merged entities lead to the entity they were merged into, over any number of steps. All functions may
/// be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
public protocol MusicStore: Sendable {
    /// Returns an artist; `nil` if the store does not have it.
    func artist(_ id: EntityID<Artist>) async throws(EarshotError) -> Artist?
    /// Returns an album; `nil` if the store does not have it.
    func album(_ id: EntityID<Album>) async throws(EarshotError) -> Album?
    /// Returns a track; `nil` if the store does not have it.
    func track(_ id: EntityID<Track>) async throws(EarshotError) -> Track?
    /// Returns lyrics; `nil` if the store does not have them.
    func lyrics(_ id: EntityID<Lyrics>) async throws(EarshotError) -> Lyrics?
    /// Returns a picture with its bytes; `nil` if the store does not have it.
    func picture(_ id: EntityID<Picture>) async throws(EarshotError) -> (picture: Picture, bytes: Data)?

    /// Returns the tracks of an album, ordered by disc and number.
    func tracks(of album: EntityID<Album>) async throws(EarshotError) -> [Track]
    /// Returns a page of the albums that are credited to an artist, ordered by date and id.
    func albums(of artist: EntityID<Artist>, offset: Int, limit: Int) async throws(EarshotError) -> [Album]
    /// Returns the lyrics of a track; several if there are several versions, none if there are none.
    func lyrics(of track: EntityID<Track>) async throws(EarshotError) -> [Lyrics]

    /// Returns the tracks that carry an identifier, ordered by id.
    func tracks(with identifier: MusicIdentifier) async throws(EarshotError) -> [Track]
    /// Returns the albums that carry an identifier, ordered by id.
    func albums(with identifier: MusicIdentifier) async throws(EarshotError) -> [Album]
    /// Returns the artists that carry an identifier, ordered by id.
    func artists(with identifier: MusicIdentifier) async throws(EarshotError) -> [Artist]

    /// Returns the hits for a text, best first: tracks if the query names a track or any text, albums if it names only an
    /// album, artists if it names only an artist. If nothing matches exactly, small spelling mistakes are tolerated.
    func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit]
    /// Returns the tracks whose lyrics contain a fragment, best first.
    func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit]

    /// Returns the value that ``MusicChange/checkpoint(_:value:)`` last stored under a name; `nil` if there is none.
    func checkpoint(_ name: String) async throws(EarshotError) -> String?

    /// Returns the number of entities of each kind.
    func counts() async throws(EarshotError) -> MusicCounts

    /// Returns the number of changes so far, which caches compare to check that their answers are still valid.
    func generation() async throws(EarshotError) -> Int

    /// Applies changes in order, all or none. They are durable when the function returns.
    ///
    /// - Throws: `metadataInvalid` for an invalid change, such as merging an entity into itself; nothing has changed
    ///   then.
    func apply(_ changes: [MusicChange]) async throws(EarshotError)
}

/// The number of entities of each kind in a store.
public struct MusicCounts: Hashable, Sendable, Codable {
    /// The number of artists.
    public var artists = 0
    /// The number of albums.
    public var albums = 0
    /// The number of tracks.
    public var tracks = 0
    /// The number of lyrics.
    public var lyrics = 0
    /// The number of pictures.
    public var pictures = 0

    /// Creates counts of zero.
    public init() {}
}
