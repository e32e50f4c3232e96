public import EarshotCore
import EarshotMusic

/// A match of a recognition service: a track, its artist, its album, and the alignment of the recording.
///
/// Its JSON form is `MusicMatchRecord`, which services send and histories store.
public struct MusicMatch: Hashable, Sendable {
    /// The track.
    public var track = MatchedTrack()
    /// The artist.
    public var artist = MatchedArtist()
    /// The album.
    public var album = MatchedAlbum()
    /// The reference in which the recording was found, and the position on it; of recognitions only.
    public var placement: ReferencePlacement?
    /// The position in the track at which the recording begins, to the millisecond; of recognitions of streams only.
    public var songPosition: MediaTime?
    /// The relevance to a search: higher is better, comparable within one answer only; of searches only.
    public var score: Double?

    /// Creates a match of which nothing is known.
    public init() {}
}

extension MusicMatch: Codable {
    /// Reads the form of `MusicMatchRecord`.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try MusicMatchRecord(from: decoder).match }

    /// Writes the form of `MusicMatchRecord`.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws { try MusicMatchRecord(self).encode(to: encoder) }
}

// MARK: - Names that the client's specification binds

extension MusicMatch {
    /// The name of the narrowest genre of the track.
    public var genre: String? { track.genres.last?.name }
    /// The identifier of the narrowest genre of the track.
    public var genreID: String? { track.genres.last?.id }
    /// The picture of the artist.
    public var artistImage: ContentImage? { artist.image }
}
