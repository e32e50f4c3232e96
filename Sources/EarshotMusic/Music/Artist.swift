/// An artist: a person, a group, an orchestra.
public struct Artist: Hashable, Sendable, Codable {
    /// The identifier.
    public let id: EntityID<Artist>
    /// The name.
    public var name: Name
    /// The name that lists are ordered by, where it is not the name itself: `Beatles, The`.
    public var sortName: String?
    /// The descriptor of where the artist is from: the deepest that applies, as the taxonomy of origins names it.
    public var origin: String?
    /// The descriptor of the artist's time.
    public var era: String?
    /// The descriptor of the artist's type: solo, duo, group.
    public var type: String?
    /// About the artist.
    public var biography: Paragraphs?
    /// Pictures of the artist, the best first.
    public var pictures: [EntityID<Picture>] = []
    /// Identifiers in other catalogs.
    public var links: [ExternalLink] = []
    /// Identifiers that the trade and the public databases use.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the artist, from 0 to 1, for the order of search results.
    public var popularity = 0.0

    /// An artist of whom only the name is known.
    public init(id: EntityID<Artist>, name: Name) {
        self.id = id
        self.name = name
    }
}
