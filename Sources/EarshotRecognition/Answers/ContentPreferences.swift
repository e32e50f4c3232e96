public import EarshotMusic

/// The requested content and language of the results of a recognition service.
public struct ContentPreferences: Hashable, Sendable, Codable {
    /// The country whose genre classification is used, as an ISO 3166-1 alpha-3 code; `nil` for international genres.
    public var country: String?
    /// The language of names and texts, as an ISO 639-3 code; `nil` for the original language.
    public var language: String?
    /// `true` to request the cover of the album.
    public var coverArt = false
    /// The sizes of pictures in order of preference: the first available one is returned.
    public var imageSizes = ImageSize.defaultOrder
    /// `true` to allow a picture of the genre in place of a missing cover; only together with `coverArt`.
    public var genreArt = true
    /// `true` to request a picture of the artist.
    public var artistImages = false
    /// `true` to request the artist's biography.
    public var biography = false
    /// `true` to request the album's review.
    public var review = false
    /// `true` to request the track's mood.
    public var mood = false
    /// `true` to request the track's tempo.
    public var tempo = false
    /// `true` to request the artist's origin. Origin, era and type are returned together if any of the three is
    /// requested.
    public var origin = false
    /// `true` to request the artist's era, with origin and type.
    public var era = false
    /// `true` to request the artist's type, with origin and era.
    public var artistType = false
    /// The level of detail of each kind of descriptor. Default: `DescriptorLevel.default`.
    public var levels: [DescriptorKind: DescriptorLevel] = [:]
    /// The external catalog whose identifiers a match should preferably have; `nil` for no preference.
    public var preferredLinkSource: String?
    /// `true` for only the best match of a recognition; `false` for up to ten matches.
    public var singleBestMatch = true

    /// Creates the default preferences: names, genres and identifiers in other catalogs.
    public init() {}

    /// `true` if origin, era or type of the artist is requested.
    public var artistDescriptors: Bool { origin || era || artistType }

    /// Returns the level of detail of a kind of descriptor.
    public func level(_ kind: DescriptorKind) -> DescriptorLevel { levels[kind] ?? .default }
}
