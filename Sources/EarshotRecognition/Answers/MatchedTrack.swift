public import EarshotCore
public import EarshotMusic

/// The track of a ``MusicMatch``, in the requested language.
public struct MatchedTrack: Hashable, Sendable {
    /// The identifier of the track; `nil` if only a local catalog has it, and in matches of an album.
    public var id: EntityID<Track>?
    /// The title; `nil` if unknown, and in matches of an album.
    public var title: String?
    /// The pronunciation of the title, for Japanese in kana; `nil` if unknown.
    public var titleReading: String?
    /// The track number on its disc, from 1; -1 if unknown.
    public var number = -1
    /// The disc number, from 1, on an album with several discs; `nil` for other albums.
    public var discNumber: Int?
    /// The number of tracks on the track's disc; `nil` if unknown.
    public var discTrackCount: Int?
    /// The duration; `nil` if unknown.
    public var duration: MediaTime?
    /// The genres, or the album's if the track has none; from broad to narrow.
    public var genres: [Descriptor] = []
    /// The track in other catalogs; `nil` if there are none, or the client is not entitled to them.
    public var links: [ExternalLink]?
    /// Identifiers in public databases with their scheme, such as `isrc:GBAYE0601498`; `nil` if there are none.
    public var identifiers: [String]?
    /// The contributors, with their roles and, if known, artists; those of the album if the track has none. `nil` if
    /// there are none.
    public var credits: [ArtistCredit]?
    /// The mood of the track, from broad to narrow; empty unless requested.
    public var mood: [Descriptor] = []
    /// The tempo of the track as descriptors, from broad to narrow; empty unless requested.
    public var tempo: [Descriptor] = []

    /// Creates a track without information.
    public init() {}
}
