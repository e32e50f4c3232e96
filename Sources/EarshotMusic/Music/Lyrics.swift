public import EarshotCore

/// The lyrics of one or several tracks.
public struct Lyrics: Hashable, Sendable, Codable {
    /// A line of lyrics and the time at which it is sung.
    public struct Line: Hashable, Sendable, Codable {
        /// The words of the line.
        public var text: String
        /// The start of the line, from the beginning of the track; `nil` if it is not known.
        public var start: MediaTime?

        /// Creates a line.
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
    /// The artist; `nil` if the tracks state it.
    public var artist: String?
    /// The title; `nil` if the tracks state it.
    public var title: String?
    /// The language, as ISO 639-3 code; `nil` if unknown.
    public var language: String?
    /// The lines in order; an empty line separates verses.
    public var lines: [Line]
    /// The author and license, to be shown with the lyrics.
    public var attribution: String?

    /// Creates lyrics.
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
