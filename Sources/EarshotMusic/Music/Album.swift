/// A release: an album, a single, a compilation, on one medium or several.
public struct Album: Hashable, Sendable, Codable {
    /// A disc, a side, a digital part.
    public struct Medium: Hashable, Sendable, Codable {
        /// Its number, counted from 1.
        public var position: Int
        /// Its own title.
        public var title: String?
        /// The format: `CD`, `Vinyl`, `Digital Media`.
        public var format: String?
        /// The number of tracks.
        public var trackCount: Int?

        /// A medium.
        ///
        /// - Parameters:
        ///   - position: Its number, counted from 1.
        ///   - title: Its own title.
        ///   - format: The format.
        ///   - trackCount: The number of tracks.
        public init(position: Int, title: String? = nil, format: String? = nil, trackCount: Int? = nil) {
            self.position = position
            self.title = title
            self.format = format
            self.trackCount = trackCount
        }
    }

    /// The identifier.
    public let id: EntityID<Album>
    /// The title.
    public var title: Name
    /// The artists.
    public var credits: [ArtistCredit]
    /// The date of first publication.
    public var date: PartialDate?
    /// Its media, in order.
    public var media: [Medium] = []
    /// The descriptors of its genres: the deepest that apply, the most fitting first.
    public var genres: [String] = []
    /// `true` if it holds tracks of many artists.
    public var isCompilation = false
    /// The review.
    public var review: Paragraphs?
    /// Pictures of its cover, the best first, and of its back.
    public var pictures: [EntityID<Picture>] = []
    /// Identifiers in other catalogs.
    public var links: [ExternalLink] = []
    /// Identifiers that the trade and the public databases use.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the album, from 0 to 1, for the order of search results.
    public var popularity = 0.0

    /// An album of which only title and artists are known.
    public init(id: EntityID<Album>, title: Name, credits: [ArtistCredit] = []) {
        self.id = id
        self.title = title
        self.credits = credits
    }

    /// The number of tracks on all media; `nil` if one of them has an unknown number.
    public var trackCount: Int? {
        let counts = media.compactMap(\.trackCount)
        return media.isEmpty || counts.count < media.count ? nil : counts.reduce(0, +)
    }
}
