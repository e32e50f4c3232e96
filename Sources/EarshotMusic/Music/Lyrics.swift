public import EarshotCore

/// The words of a track.
public struct Lyrics: Hashable, Sendable, Codable {
    /// A line, and when it is sung.
    public struct Line: Hashable, Sendable, Codable {
        /// The words.
        public var text: String
        /// When it begins, from the begin of the track; `nil` if that is not known.
        public var start: MediaTime?

        /// A line.
        ///
        /// - Parameters:
        ///   - text: The words.
        ///   - start: When it begins, from the begin of the track.
        public init(_ text: String, start: MediaTime? = nil) {
            self.text = text
            self.start = start
        }
    }

    /// The identifier.
    public let id: EntityID<Lyrics>
    /// The tracks that are sung with them; none when that is not known.
    public var tracks: [EntityID<Track>]
    /// Who sings them, where no track says so.
    public var artist: String?
    /// What the song is called, where no track says so.
    public var title: String?
    /// The language, as ISO 639-3 code.
    public var language: String?
    /// The lines in order; an empty one stands between verses.
    public var lines: [Line]
    /// Who wrote them, and under which license: shown with them.
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
