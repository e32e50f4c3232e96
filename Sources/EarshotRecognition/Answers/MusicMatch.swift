public import EarshotCore
import EarshotMusic

/// A match of a recognition service: a track, its artist, its album, and the alignment of the recording.
///
/// Its JSON form is `MusicMatchRecord`, which services send and histories store.
public struct MusicMatch: Hashable, Sendable {
    /// The matching track.
    public var track = MatchedTrack()
    /// The artist of the track, or else of the album.
    public var artist = MatchedArtist()
    /// The album that contains the track.
    public var album = MatchedAlbum()
    /// The reference that matches the recording, and the alignment with it; `nil` except for recognitions.
    public var placement: ReferencePlacement?
    /// The position in the track at which the recording begins, to the millisecond; `nil` except for recognitions of
    /// the kind `stream`.
    public var songPosition: MediaTime?
    /// The relevance in a search: higher is better, comparable within one result only; `nil` except for searches.
    public var score: Double?

    /// Creates a match without information.
    public init() {}
}

extension MusicMatch: Codable {
    /// Decodes the JSON form of `MusicMatchRecord`.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { self = try MusicMatchRecord(from: decoder).match }

    /// Encodes the JSON form of `MusicMatchRecord`.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws { try MusicMatchRecord(self).encode(to: encoder) }
}

// MARK: - Names that the client's specification binds

extension MusicMatch {
    /// The name of the narrowest genre of the track; `nil` if it has none.
    public var genre: String? { track.genres.last?.name }
    /// The identifier of the narrowest genre of the track; `nil` if it has none.
    public var genreID: String? { track.genres.last?.id }
    /// The picture of the artist; `nil` if it was not requested or there is none.
    public var artistImage: ContentImage? { artist.image }
}
