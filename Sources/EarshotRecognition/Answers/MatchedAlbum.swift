public import EarshotMusic

/// The album of a ``MusicMatch``, in the requested language.
public struct MatchedAlbum: Hashable, Sendable {
    /// The identifier of the album; `nil` if only a local catalog has it, or it is unknown.
    public var id: EntityID<Album>?
    /// The title; `nil` if unknown.
    public var title: String?
    /// The pronunciation of the title, for Japanese in kana; `nil` if unknown.
    public var titleReading: String?
    /// The name of the album's artist; `nil` if unknown.
    public var artist: String?
    /// Other names of the album's artist; `nil` if there are none.
    public var artistAlternates: [String]?
    /// The pronunciation of the artist's name, for Japanese in kana; `nil` if unknown.
    public var artistReading: String?
    /// The year of publication; `nil` if unknown.
    public var releaseYear: String?
    /// The number of tracks; -1 if unknown.
    public var trackCount = -1
    /// The number of discs of an album with several; `nil` for other albums.
    public var discCount: Int?
    /// Identifiers in public databases with their scheme, such as `barcode:…`; `nil` if there are none.
    public var identifiers: [String]?
    /// The genres, from broad to narrow.
    public var genres: [Descriptor] = []
    /// The album in other catalogs; `nil` if there are none, or the client is not entitled to them.
    public var links: [ExternalLink]?
    /// The review, a string for each paragraph; `nil` if it was not requested or there is none.
    public var review: [String]?
    /// The address from which the review can be loaded; `nil` if there is none.
    public var reviewURL: String?
    /// The cover, or a picture of the genre in its place; `nil` if it was not requested or there is none.
    public var coverArt: ContentImage?

    /// Creates an album without information.
    public init() {}
}
