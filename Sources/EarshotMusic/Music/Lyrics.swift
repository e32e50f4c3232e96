public import EarshotCore

/// The words of a track.
public struct Lyrics: Hashable, Sendable, Codable {
    /// A line, and when it is sung.
    public struct Line: Hashable, Sendable, Codable {
        /// The words.
        public var text: String
        /// The start, from the beginning of the track; `nil` if it is not known.
        public var start: MediaTime?

        /// A line.
        ///
        /// - Parameters:
        ///   - text: The words.
        ///   - start: The start, from the beginning of the track.
        public init(_ text: String, start: MediaTime? = nil) {
            self.text = text
            self.start = start
        }
    }

    /// The identifier.
    public let id: EntityID<Lyrics>
    /// The tracks with these lyrics; empty if none are known.
    public var tracks: [EntityID<Track>]
    /// The artist, if no track states one.
    public var artist: String?
    /// The title, if no track states one.
    public var title: String?
    /// The language, as ISO 639-3 code.
    public var language: String?
    /// The lines in order; an empty line separates verses.
    public var lines: [Line]
    /// The author and license, to be shown with the lyrics.
    public var attribution: String?

    /// Words.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - tracks: The tracks that are sung with them.
    ///   - lines: The lines in order.
    public init(id: EntityID<Lyrics>, tracks: [EntityID<Track>], lines: [Line]) {
        self.id = id
        self.tracks = tracks
        self.lines = lines
    }
}
