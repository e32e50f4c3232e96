public import EarshotCore

/// A recording, with its position on an album if it is on one.
public struct Track: Hashable, Sendable, Codable {
    /// The position of a track on an album.
    public struct Place: Hashable, Sendable, Codable {
        /// The album.
        public var album: EntityID<Album>
        /// The number of the disc (or other medium) in its set, counted from 1.
        public var medium: Int
        /// The track's number on the disc, counted from 1; `nil` if it has none.
        public var number: Int?

        /// Creates a position on an album.
        ///
        /// - Parameters:
        ///   - album: The album.
        ///   - medium: The number of the disc (or other medium) in its set, counted from 1.
        ///   - number: The track's number on the disc, counted from 1; `nil` if it has none.
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
    /// The artists and contributors. If empty, the album's artists apply.
    public var credits: [ArtistCredit]
    /// The position on the album; `nil` for a track on none.
    public var place: Place?
    /// The duration; `nil` if unknown.
    public var duration: MediaTime?
    /// The descriptor ids of its genres, best first. If empty, the album's genres apply.
    public var genres: [String] = []
    /// The descriptor id of its mood; `nil` if unknown.
    public var mood: String?
    /// The descriptor id of its tempo; `nil` if unknown.
    public var tempo: String?
    /// Identifiers in other catalogs.
    public var links: [ExternalLink] = []
    /// Identifiers that the trade and the public databases use: ISRC, ISWC.
    public var identifiers: Set<MusicIdentifier> = []
    /// The popularity of the track, from 0 to 1, for the order of search results.
    public var popularity = 0.0

    /// Creates a track with a title and artists; set other properties afterwards.
    public init(id: EntityID<Track>, title: Name, credits: [ArtistCredit] = [], place: Place? = nil) {
        self.id = id
        self.title = title
        self.credits = credits
        self.place = place
    }
}
