import EarshotCore
public import EarshotMusic
public import EarshotRecognition

/// A track that a music query found.
public struct TrackResult: Hashable, Sendable {
    /// All that was told.
    public let match: MusicMatch

    /// The track of a match; `nil` if the match is of an album or an artist only.
    public init?(_ match: MusicMatch) {
        guard match.track.id != nil || match.track.title != nil else { return nil }
        self.match = match
    }

    /// Its identifier; `nil` for one that only the catalog knows.
    public var id: EntityID<Track>? { match.track.id }
    /// What it is called.
    public var title: String? { match.track.title }
    /// Whose it is.
    public var artist: ArtistResult? { ArtistResult(match) }
    /// Who took part in it, with their roles.
    public var credits: [ArtistCredit] { match.track.credits ?? [] }
    /// Its duration, in seconds.
    public var duration: Double? { match.track.duration?.seconds }
    /// Its mood, where it was asked for.
    public var mood: [Descriptor] { match.track.mood }
    /// Its tempo, where it was asked for.
    public var tempo: [Descriptor] { match.track.tempo }
    /// Where in it the recording began, in milliseconds; of recognitions only.
    public var position: Int? { match.songPosition.map { Int($0.converted(toTimescale: 1_000).value) } }
    /// The album that it stands on, with this track.
    public var album: AlbumResult? { AlbumResult([match]) }
}

/// An artist of something that a music query found.
public struct ArtistResult: Hashable, Sendable {
    /// The identifier.
    public let id: EntityID<Artist>?
    /// The name.
    public let name: String
    /// Where, when and how the artist works, where it was asked for.
    public let origin: [Descriptor]
    /// The times in which the artist is active.
    public let era: [Descriptor]
    /// Whether it is a person or a group.
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
    /// All that was told, a match for each of its tracks that was found.
    public let matches: [MusicMatch]

    /// The album of matches that are of one album; `nil` if they name none.
    public init?(_ matches: [MusicMatch]) {
        guard let first = matches.first, first.album.id != nil || first.album.title != nil else { return nil }
        self.matches = matches
    }

    /// Its identifier; `nil` for one that only the catalog knows.
    public var id: EntityID<Album>? { matches[0].album.id }
    /// What it is called.
    public var title: String? { matches[0].album.title }
    /// Whose it is.
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
