/// A search for artists, albums or tracks by text.
public struct MusicQuery: Hashable, Sendable {
    /// The artist's name, or a part of it; `nil` for any artist.
    public var artist: String?
    /// The album's title, or a part of it; `nil` for any album.
    public var album: String?
    /// The track's title, or a part of it; `nil` for any track.
    public var track: String?
    /// The name of an artist, album or track, as typed into a single field; `nil` if there is none.
    public var anything: String?
    /// `true` if the last word is still being typed.
    public var isTyping: Bool
    /// The number of hits to skip.
    public var offset: Int
    /// The largest number of hits to return, 1 to 100.
    public var limit: Int

    /// Creates a query. More fields narrow the search.
    ///
    /// - Parameters:
    ///   - anything: Artist, album or track, as typed into a single field.
    ///   - artist: The artist's name, or a part of it.
    ///   - album: The album's title, or a part of it.
    ///   - track: The track's title, or a part of it.
    ///   - isTyping: `true` if the last word is still being typed.
    ///   - offset: The number of hits to skip.
    ///   - limit: The largest number of hits, 1 to 100.
    public init(
        _ anything: String? = nil,
        artist: String? = nil,
        album: String? = nil,
        track: String? = nil,
        isTyping: Bool = false,
        offset: Int = 0,
        limit: Int = 10
    ) {
        self.artist = artist
        self.album = album
        self.track = track
        self.anything = anything
        self.isTyping = isTyping
        self.offset = max(0, offset)
        self.limit = min(max(1, limit), 100)
    }
}

/// A search for tracks by a fragment of their lyrics.
public struct LyricQuery: Hashable, Sendable {
    /// The words as the user remembers them.
    public var fragment: String
    /// The artist's name, or a part of it; `nil` for any artist.
    public var artist: String?
    /// The number of hits to skip.
    public var offset: Int
    /// The largest number of hits to return, 1 to 100.
    public var limit: Int

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - fragment: The words as the user remembers them.
    ///   - artist: The artist's name, or a part of it.
    ///   - offset: The number of hits to skip.
    ///   - limit: The largest number of hits, 1 to 100.
    public init(_ fragment: String, artist: String? = nil, offset: Int = 0, limit: Int = 10) {
        self.fragment = fragment
        self.artist = artist
        self.offset = max(0, offset)
        self.limit = min(max(1, limit), 100)
    }
}

/// A track, an album or an artist that was found.
public struct MusicHit: Hashable, Sendable {
    /// The kind of hit.
    public enum Entity: Hashable, Sendable {
        /// A track.
        case track(EntityID<Track>)
        /// An album, for a query that names no track.
        case album(EntityID<Album>)
        /// An artist, for a query that names neither track nor album.
        case artist(EntityID<Artist>)
        /// Lyrics without a known track.
        case lyrics(EntityID<Lyrics>)
    }

    /// The entity found.
    public var entity: Entity
    /// The score: higher is better. Comparable only within the hits of one query.
    public var score: Double

    /// Creates a hit.
    public init(_ entity: Entity, score: Double) {
        self.entity = entity
        self.score = score
    }
}
