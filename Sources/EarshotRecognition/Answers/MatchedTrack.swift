public import EarshotCore
public import EarshotMusic

/// The track of a ``MusicMatch``, in the language that was asked for.
public struct MatchedTrack: Hashable, Sendable {
    /// The identifier of the track; `nil` for one that only a local catalog has, and in answers about an album.
    public var id: EntityID<Track>?
    /// The title.
    public var title: String?
    /// The pronunciation of the title, for Japanese in kana.
    public var titleReading: String?
    /// The number on its medium, counted from 1; -1 if it is not known.
    public var number = -1
    /// The number of its medium, counted from 1; of albums of several media only.
    public var discNumber: Int?
    /// The number of tracks on its medium.
    public var discTrackCount: Int?
    /// The length.
    public var duration: MediaTime?
    /// The genres, or the album's if the track has none; from broad to narrow.
    public var genres: [Descriptor] = []
    /// The track in other catalogs.
    public var links: [ExternalLink]?
    /// Identifiers that the trade and the public databases use, each with its scheme: `isrc:GBAYE0601498`.
    public var identifiers: [String]?
    /// The contributors, with their roles and, if known, artists; those of the album if the track has none.
    public var credits: [ArtistCredit]?
    /// The mood.
    public var mood: [Descriptor] = []
    /// The tempo.
    public var tempo: [Descriptor] = []

    /// Creates a track of which nothing is known.
    public init() {}
}
