import EarshotCore
public import EarshotMusic
public import EarshotRecognition

/// A track that a music query found.
public struct TrackResult: Hashable, Sendable {
    /// The complete match.
    public let match: MusicMatch

    /// The track of a match; `nil` if the match is of an album or an artist only.
    public init?(_ match: MusicMatch) {
        guard match.track.id != nil || match.track.title != nil else { return nil }
        self.match = match
    }

    /// The identifier of the track; `nil` for one that only a local catalog has.
    public var id: EntityID<Track>? { match.track.id }
    /// The title.
    public var title: String? { match.track.title }
    /// The artist.
    public var artist: ArtistResult? { ArtistResult(match) }
    /// The contributors, with their roles.
    public var credits: [ArtistCredit] { match.track.credits ?? [] }
    /// Its duration, in seconds.
    public var duration: Double? { match.track.duration?.seconds }
    /// Its mood, where it was asked for.
    public var mood: [Descriptor] { match.track.mood }
    /// Its tempo, where it was asked for.
    public var tempo: [Descriptor] { match.track.tempo }
    /// The position in the track at which the recording began, in milliseconds; `nil` except for recognitions.
    public var position: Int? { match.songPosition.map { Int($0.converted(toTimescale: 1_000).value) } }
    /// The album that contains the track, with this track only.
    public var album: AlbumResult? { AlbumResult([match]) }
}

/// An artist of something that a music query found.
public struct ArtistResult: Hashable, Sendable {
    /// The identifier.
    public let id: EntityID<Artist>?
    /// The name.
    public let name: String
    /// The place, time and kind of the artist's work, if it was requested.
    public let origin: [Descriptor]
    /// The times in which the artist is active.
    public let era: [Descriptor]
    /// The type of the artist: a person or a group.
    public let type: [Descriptor]

    /// The artist of a match; `nil` if it names none.
    public init?(_ match: MusicMatch) {
        guard let name = match.artist.name ?? match.album.artist else { return nil }
        id = match.artist.id
        self.name = name
        (origin, era, type) = (match.artist.origin, match.artist.era, match.artist.type)
    }
}

/// An album that a music query found.
public struct AlbumResult: Hashable, Sendable {
    /// The complete matches, one for each track found.
    public let matches: [MusicMatch]

    /// The album of matches that are of one album; `nil` if they name none.
    public init?(_ matches: [MusicMatch]) {
        guard let first = matches.first, first.album.id != nil || first.album.title != nil else { return nil }
        self.matches = matches
    }

    /// The identifier of the album; `nil` for one that only a local catalog has.
    public var id: EntityID<Album>? { matches[0].album.id }
    /// The title.
    public var title: String? { matches[0].album.title }
    /// The artist of the album.
    public var artist: String? { matches[0].album.artist }
    /// The year of its release.
    public var releaseYear: String? { matches[0].album.releaseYear }
    /// The number of tracks; `nil` if that is not known.
    public var trackCount: Int? { matches[0].album.trackCount > 0 ? matches[0].album.trackCount : nil }
    /// Its genres, from broad to narrow.
    public var genres: [Descriptor] { matches[0].album.genres }
    /// Its cover, where it was asked for.
    public var coverArt: ContentImage? { matches[0].album.coverArt }
    /// The tracks of it that were found.
    public var tracks: [TrackResult] { matches.compactMap { TrackResult($0) } }

    /// The albums of matches, in the order in which each is named first.
    static func albums(_ matches: [MusicMatch]) -> [AlbumResult] {
        matches.grouped { match in
            match.album.id?.rawValue ?? match.album.title.map { "\($0)\u{0}\(match.album.artist ?? "")" }
        }.compactMap { AlbumResult($0.elements) }
    }
}
