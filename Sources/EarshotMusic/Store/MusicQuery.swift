/// A text search.
public struct MusicQuery: Hashable, Sendable {
    /// The artist's name, or a part of it.
    public var artist: String?
    /// The album's title, or a part of it.
    public var album: String?
    /// The track's title, or a part of it.
    public var track: String?
    /// Any of the three, as typed into a single field.
    public var anything: String?
    /// `true` if the last word is still being typed.
    public var isTyping: Bool
    /// The first hit that is wanted, counted from 0.
    public var offset: Int
    /// The largest number of hits are wanted.
    public var limit: Int

    /// A query. More fields narrow the search.
    ///
    /// - Parameters:
    ///   - anything: Artist, album or track, as typed into a single field.
    ///   - artist: The artist's name, or a part of it.
    ///   - album: The album's title, or a part of it.
    ///   - track: The track's title, or a part of it.
    ///   - isTyping: `true` if the last word is still being typed.
    ///   - offset: The first hit that is wanted, counted from 0.
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

/// A stretch of lyrics that is searched for.
public struct LyricQuery: Hashable, Sendable {
    /// The words as they are remembered.
    public var fragment: String
    /// The artist's name, or a part of it.
    public var artist: String?
    /// The first hit that is wanted, counted from 0.
    public var offset: Int
    /// The largest number of hits are wanted.
    public var limit: Int

    /// A query.
    ///
    /// - Parameters:
    ///   - fragment: The words as they are remembered.
    ///   - artist: The artist's name, or a part of it.
    ///   - offset: The first hit that is wanted, counted from 0.
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
        /// An album of which no track was asked for.
        case album(EntityID<Album>)
        /// An artist of whom neither track nor album was asked for.
        case artist(EntityID<Artist>)
        /// Words that belong to no track that is known.
        case lyrics(EntityID<Lyrics>)
    }

    /// The entity found.
    public var entity: Entity
    /// The score: higher is better, comparable only within one answer.
    public var score: Double

    /// A hit.
    public init(_ entity: Entity, score: Double) {
        self.entity = entity
        self.score = score
    }
}
