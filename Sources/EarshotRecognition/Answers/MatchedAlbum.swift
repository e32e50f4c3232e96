public import EarshotMusic

/// The album of a ``MusicMatch``, in the language that was asked for.
public struct MatchedAlbum: Hashable, Sendable {
    /// The album.
    public var id: EntityID<Album>?
    /// The title.
    public var title: String?
    /// The pronunciation of the title, for Japanese in kana.
    public var titleReading: String?
    /// The name of the album's artist.
    public var artist: String?
    /// Other names of the album's artist.
    public var artistAlternates: [String]?
    /// The pronunciation of the name of the album's artist.
    public var artistReading: String?
    /// The year of publication.
    public var releaseYear: String?
    /// The number of tracks; -1 if it is not known.
    public var trackCount = -1
    /// The number of media; of albums of several only.
    public var discCount: Int?
    /// Identifiers that the trade and the public databases use, each with its scheme.
    public var identifiers: [String]?
    /// The genres, from broad to narrow.
    public var genres: [Descriptor] = []
    /// The album in other catalogs.
    public var links: [ExternalLink]?
    /// The review, a string for each paragraph.
    public var review: [String]?
    /// The address of the review, to be loaded later.
    public var reviewURL: String?
    /// The cover, or genre art in its place.
    public var coverArt: ContentImage?

    /// Creates an album of which nothing is known.
    public init() {}
}
