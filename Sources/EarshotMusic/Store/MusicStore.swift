public import EarshotCore
public import Foundation

/// Where artists, albums and tracks are kept.
///
/// Ids of what was merged lead to what it was merged into, over any number of steps. All functions may be called from any
/// task. They throw `storeUnavailable` when the store cannot be reached, and `cancelled`.
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

    /// What fits a text, the best first: tracks when a track or anything is asked for, albums when only an album is, artists
    /// when only an artist is. Small mistakes in the spelling are forgiven where nothing fits as it is written.
    func search(_ query: MusicQuery) async throws(EarshotError) -> [MusicHit]
    /// The tracks whose words hold a fragment, the best first.
    func search(_ query: LyricQuery) async throws(EarshotError) -> [MusicHit]

    /// What ``MusicChange/checkpoint(_:value:)`` last wrote under a name.
    func checkpoint(_ name: String) async throws(EarshotError) -> String?

    /// How much is known.
    func counts() async throws(EarshotError) -> MusicCounts

    /// The number of changes so far, by which those that keep answers know whether these still hold.
    func generation() async throws(EarshotError) -> Int

    /// Makes changes, in order, all of them or none. When this returns they are kept, whatever happens to the machine.
    ///
    /// - Throws: `metadataInvalid` for what breaks a rule, such as merging something into itself; then nothing has changed.
    func apply(_ changes: [MusicChange]) async throws(EarshotError)
}

/// How much a store knows.
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
