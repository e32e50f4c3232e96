public import EarshotMusic

/// The content and language of the answers of a recognition service.
public struct ContentPreferences: Hashable, Sendable, Codable {
    /// The country whose genres are wanted, as ISO 3166-1 alpha-3 code; the international ones without it.
    public var country: String?
    /// The language of names and texts, as ISO 639-3 code; as their makers write them without it.
    public var language: String?
    /// `true` if a cover is wanted.
    public var coverArt = false
    /// The sizes of pictures, in order of preference: the first available one is returned.
    public var imageSizes = ImageSize.defaultOrder
    /// `true` to allow genre art in place of a missing cover; only together with `coverArt`.
    public var genreArt = true
    /// `true` if a picture of the artist is wanted.
    public var artistImages = false
    /// `true` if the artist's biography is wanted.
    public var biography = false
    /// `true` if the album's review is wanted.
    public var review = false
    /// `true` if the track's mood is wanted.
    public var mood = false
    /// `true` if the track's tempo is wanted.
    public var tempo = false
    /// `true` if the artist's origin is wanted. Origin, era and type come together: any of the three switches asks for
    /// all.
    public var origin = false
    /// `true` if the artist's era is wanted.
    public var era = false
    /// `true` if the artist's type is wanted.
    public var artistType = false
    /// The level of detail of each kind of descriptor. Default: `DescriptorLevel.default`.
    public var levels: [DescriptorKind: DescriptorLevel] = [:]
    /// Prefer what has an identifier in this catalog.
    public var preferredLinkSource: String?
    /// One best match, or up to ten; of recognitions only.
    public var singleBestMatch = true

    /// Creates the default preferences: names, genres and identifiers in other catalogs.
    public init() {}

    /// `true` if origin, era and type of the artist are wanted.
    public var artistDescriptors: Bool { origin || era || artistType }

    /// The level of detail of a kind of descriptor.
    public func level(_ kind: DescriptorKind) -> DescriptorLevel { levels[kind] ?? .default }
}
