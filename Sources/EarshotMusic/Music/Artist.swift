/// An artist: a person, a group, an orchestra.
public struct Artist: Hashable, Sendable, Codable {
    /// The identifier.
    public let id: EntityID<Artist>
    /// The name.
    public var name: Name
    /// The name to sort by: `Beatles, The`; `nil` if it is ``name``.
    public var sortName: String?
    /// The descriptor id of the artist's origin, as narrow as is known; `nil` if unknown.
    public var origin: String?
    /// The descriptor id of the era in which the artist is or was active; `nil` if unknown.
    public var era: String?
    /// The descriptor id of the artist's type: solo, duo, group; `nil` if unknown.
    public var type: String?
    /// The biography of the artist; `nil` if there is none.
    public var biography: Paragraphs?
    /// Pictures of the artist, the best first.
    public var pictures: [EntityID<Picture>] = []
    /// Identifiers in other catalogs.
    public var links: [ExternalLink] = []
    /// Identifiers that the trade and the public databases use.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the artist, from 0 to 1, for the order of search results.
    public var popularity = 0.0

    /// Creates an artist with a name; set other properties afterwards.
    public init(id: EntityID<Artist>, name: Name) {
        self.id = id
        self.name = name
    }
}
