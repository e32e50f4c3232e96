public import EarshotMusic

/// The artist of a ``MusicMatch``, in the language that was asked for.
public struct MatchedArtist: Hashable, Sendable {
    /// The artist.
    public var id: EntityID<Artist>?
    /// The name of whose track it is; the album's artist if the track names none.
    public var name: String?
    /// Other names.
    public var alternates: [String]?
    /// The pronunciation of the name, for Japanese in kana.
    public var reading: String?
    /// The origin of the artist.
    public var origin: [Descriptor] = []
    /// The artist's time.
    public var era: [Descriptor] = []
    /// The kind of artist: solo, duo, group.
    public var type: [Descriptor] = []
    /// The biography, a string for each paragraph.
    public var biography: [String]?
    /// The address of the biography, to be loaded later.
    public var biographyURL: String?
    /// A picture of the artist.
    public var image: ContentImage?

    /// Creates an artist of whom nothing is known.
    public init() {}
}
