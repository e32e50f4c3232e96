/// A release: an album, a single, a compilation, on one medium or several.
public struct Album: Hashable, Sendable, Codable {
    /// A medium of a release: a disc, a side of a record, or a digital part.
    public struct Medium: Hashable, Sendable, Codable {
        /// The number of the medium in the release, counted from 1.
        public var position: Int
        /// The title of the medium; `nil` if it has none of its own.
        public var title: String?
        /// The format: `CD`, `Vinyl`, `Digital Media`; `nil` if unknown.
        public var format: String?
        /// The number of tracks; `nil` if unknown.
        public var trackCount: Int?

        /// Creates a medium.
        ///
        /// - Parameters:
        ///   - position: The number of the medium in the release, counted from 1.
        ///   - title: The title of the medium; `nil` if it has none of its own.
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
    /// The date of first publication; `nil` if unknown.
    public var date: PartialDate?
    /// Its media, in order.
    public var media: [Medium] = []
    /// The descriptors of its genres: the deepest that apply, the most fitting first.
    public var genres: [String] = []
    /// `true` if it holds tracks of many artists.
    public var isCompilation = false
    /// The review; `nil` if there is none.
    public var review: Paragraphs?
    /// Pictures of its cover, the best first, and of its back.
    public var pictures: [EntityID<Picture>] = []
    /// Identifiers in other catalogs.
    public var links: [ExternalLink] = []
    /// Identifiers that the trade and the public databases use.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the album, from 0 to 1, for the order of search results.
    public var popularity = 0.0

    /// Creates an album with a title and artists; set other properties afterwards.
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
