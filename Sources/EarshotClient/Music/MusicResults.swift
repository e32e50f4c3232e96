import EarshotCore
public import EarshotMusic
public import EarshotRecognition

/// A track that a music query found.
public struct TrackResult: Hashable, Sendable {
    /// The complete match that the other properties are taken from.
    public let match: MusicMatch

    /// Creates a result from a match; `nil` if the match is of an album or an artist only.
    public init?(_ match: MusicMatch) {
        guard match.track.id != nil || match.track.title != nil else { return nil }
        self.match = match
    }

    /// The identifier of the track; `nil` for a track that only a local catalog has.
    public var id: EntityID<Track>? { match.track.id }
    /// The title of the track; `nil` if it is not known.
    public var title: String? { match.track.title }
    /// The artist of the track, or else of its album; `nil` if it is not known.
    public var artist: ArtistResult? { ArtistResult(match) }
    /// The contributors to the track, with their roles; empty if they are not known.
    public var credits: [ArtistCredit] { match.track.credits ?? [] }
    /// The duration of the track, in seconds; `nil` if it is not known.
    public var duration: Double? { match.track.duration?.seconds }
    /// The moods of the track, from broad to narrow; empty unless requested.
    public var mood: [Descriptor] { match.track.mood }
    /// The tempo of the track as descriptors, from broad to narrow; empty unless requested.
    public var tempo: [Descriptor] { match.track.tempo }
    /// The position in the track at which the recording began, in milliseconds; `nil` for results of text queries.
    public var position: Int? { match.songPosition.map { Int($0.converted(toTimescale: 1_000).value) } }
    /// The album that contains the track, with this track only; `nil` if it is not known.
    public var album: AlbumResult? { AlbumResult([match]) }
}

/// The artist of a track or an album that a music query found.
public struct ArtistResult: Hashable, Sendable {
    /// The identifier of the artist; `nil` if it is not known.
    public let id: EntityID<Artist>?
    /// The name of the artist.
    public let name: String
    /// The place of origin of the artist, from broad to narrow; empty unless requested.
    public let origin: [Descriptor]
    /// The era in which the artist is active, from broad to narrow; empty unless requested.
    public let era: [Descriptor]
    /// The type of the artist, such as a person or a group, from broad to narrow; empty unless requested.
    public let type: [Descriptor]

    /// Creates a result from a match; `nil` if the match names no artist.
    public init?(_ match: MusicMatch) {
        guard let name = match.artist.name ?? match.album.artist else { return nil }
        id = match.artist.id
        self.name = name
        (origin, era, type) = (match.artist.origin, match.artist.era, match.artist.type)
    }
}

/// An album that a music query found.
public struct AlbumResult: Hashable, Sendable {
    /// The complete matches that the other properties are taken from, one for each track found.
    public let matches: [MusicMatch]

    /// Creates a result from matches of the same album; `nil` if the first names no album.
    public init?(_ matches: [MusicMatch]) {
        guard let first = matches.first, first.album.id != nil || first.album.title != nil else { return nil }
        self.matches = matches
    }

    /// The identifier of the album; `nil` for an album that only a local catalog has.
    public var id: EntityID<Album>? { matches[0].album.id }
    /// The title of the album; `nil` if it is not known.
    public var title: String? { matches[0].album.title }
    /// The name of the album's artist; `nil` if it is not known.
    public var artist: String? { matches[0].album.artist }
    /// The year of the album's release; `nil` if it is not known.
    public var releaseYear: String? { matches[0].album.releaseYear }
    /// The number of tracks of the album; `nil` if it is not known.
    public var trackCount: Int? { matches[0].album.trackCount > 0 ? matches[0].album.trackCount : nil }
    /// The genres of the album, from broad to narrow.
    public var genres: [Descriptor] { matches[0].album.genres }
    /// The cover of the album, by its address; `nil` unless requested and available.
    public var coverArt: ContentImage? { matches[0].album.coverArt }
    /// The tracks of the album that the query found.
    public var tracks: [TrackResult] { matches.compactMap { TrackResult($0) } }

    /// The albums of matches, in the order in which each is named first.
    static func albums(_ matches: [MusicMatch]) -> [AlbumResult] {
        matches.grouped { match in
            match.album.id?.rawValue ?? match.album.title.map { "\($0)\u{0}\(match.album.artist ?? "")" }
        }.compactMap { AlbumResult($0.elements) }
    }
}
