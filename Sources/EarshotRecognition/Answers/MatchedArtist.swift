public import EarshotMusic

/// The artist of a ``MusicMatch``, in the requested language.
public struct MatchedArtist: Hashable, Sendable {
    /// The identifier of the artist; `nil` if unknown.
    public var id: EntityID<Artist>?
    /// The name of the track's artist, or of the album's artist if the track has none; `nil` if unknown.
    public var name: String?
    /// Other names of the artist; `nil` if there are none.
    public var alternates: [String]?
    /// The pronunciation of the name, for Japanese in kana; `nil` if unknown.
    public var reading: String?
    /// The place of origin of the artist, from broad to narrow; empty unless requested.
    public var origin: [Descriptor] = []
    /// The era in which the artist is active, from broad to narrow; empty unless requested.
    public var era: [Descriptor] = []
    /// The type of artist, such as solo, duo or group, from broad to narrow; empty unless requested.
    public var type: [Descriptor] = []
    /// The biography, a string for each paragraph; `nil` if it was not requested or there is none.
    public var biography: [String]?
    /// The address from which the biography can be loaded; `nil` if there is none.
    public var biographyURL: String?
    /// The picture of the artist; `nil` if it was not requested or there is none.
    public var image: ContentImage?

    /// Creates an artist without information.
    public init() {}
}
