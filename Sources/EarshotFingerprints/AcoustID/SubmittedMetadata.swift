/// The metadata that a submitter gave for the recording of a fingerprint.
public struct SubmittedMetadata: Hashable, Sendable, Codable {
    /// The title of the track; `nil` if missing.
    public var track: String?
    /// The artist of the track; `nil` if missing.
    public var artist: String?
    /// The title of the album; `nil` if missing.
    public var album: String?
    /// The album artist; `nil` if missing.
    public var albumArtist: String?
    /// The track number on its disc; `nil` if missing.
    public var trackNumber: Int?
    /// The disc number in a set of discs; `nil` if missing.
    public var discNumber: Int?
    /// The year of publication; `nil` if missing.
    public var year: Int?

    /// Creates empty metadata.
    public init() {}

    /// `true` if no field is set.
    public var isEmpty: Bool { self == SubmittedMetadata() }
}
