public import EarshotCore

/// A recording in its place on an album, or on none.
public struct Track: Hashable, Sendable, Codable {
    /// The position of a track on an album.
    public struct Place: Hashable, Sendable, Codable {
        /// The album.
        public var album: EntityID<Album>
        /// The medium's number, counted from 1.
        public var medium: Int
        /// The track's number on the medium, counted from 1; `nil` if it has none.
        public var number: Int?

        /// A place.
        ///
        /// - Parameters:
        ///   - album: The album.
        ///   - medium: The medium's number, counted from 1.
        ///   - number: The track's number on the medium, counted from 1.
        public init(album: EntityID<Album>, medium: Int = 1, number: Int? = nil) {
            self.album = album
            self.medium = medium
            self.number = number
        }
    }

    /// The identifier.
    public let id: EntityID<Track>
    /// The title of the track.
    public var title: Name
    /// The artists and contributors; empty for the album's artists.
    public var credits: [ArtistCredit]
    /// The position on the album.
    public var place: Place?
    /// Its duration.
    public var duration: MediaTime?
    /// The descriptors of its genres, best first; empty for the album's genres.
    public var genres: [String] = []
    /// The descriptor of its mood.
    public var mood: String?
    /// The descriptor of its tempo.
    public var tempo: String?
    /// Identifiers in other catalogs.
    public var links: [ExternalLink] = []
    /// Identifiers that the trade and the public databases use: ISRC, ISWC.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the track, from 0 to 1, for the order of search results.
    public var popularity = 0.0

    /// A track of which only title and artists are known.
    public init(id: EntityID<Track>, title: Name, credits: [ArtistCredit] = [], place: Place? = nil) {
        self.id = id
        self.title = title
        self.credits = credits
        self.place = place
    }
}
