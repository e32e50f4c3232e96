/// What somebody who sent a fingerprint wrote about the recording, in free text.
public struct SubmittedMetadata: Hashable, Sendable, Codable {
    /// The title.
    public var track: String?
    /// Who performs it.
    public var artist: String?
    /// The title of the album.
    public var album: String?
    /// Whose album it is.
    public var albumArtist: String?
    /// The track's number on its medium.
    public var trackNumber: Int?
    /// The medium's number.
    public var discNumber: Int?
    /// When it was published.
    public var year: Int?

    /// Nothing is known yet.
    public init() {}

    /// `true` if nothing is said.
    public var isEmpty: Bool { self == SubmittedMetadata() }
}
