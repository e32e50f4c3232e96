/// Metadata in free text that a submitter of a fingerprint gave for the recording.
public struct SubmittedMetadata: Hashable, Sendable, Codable {
    /// The title.
    public var track: String?
    /// The artist.
    public var artist: String?
    /// The title of the album.
    public var album: String?
    /// The album artist.
    public var albumArtist: String?
    /// The track's number on its medium.
    public var trackNumber: Int?
    /// The medium's number.
    public var discNumber: Int?
    /// The year of publication.
    public var year: Int?

    /// Nothing is known yet.
    public init() {}

    /// `true` if nothing is said.
    public var isEmpty: Bool { self == SubmittedMetadata() }
}
