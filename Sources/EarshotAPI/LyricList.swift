import EarshotCore
package import EarshotMusic

/// The response with the lyrics of a track.
public struct LyricList: Hashable, Sendable, Codable {
    /// The lyrics in one language.
    public struct Text: Hashable, Sendable, Codable {
        /// The language, as an ISO 639-3 code; `nil` if unknown.
        public var language: String?
        /// The lines in order; an empty line separates verses.
        public var lines: [Line]
        /// The author and license, to be shown with the lyrics; `nil` if the service names none.
        public var attribution: String?
    }

    /// A line of lyrics.
    public struct Line: Hashable, Sendable, Codable {
        /// The words of the line; empty between verses.
        public var text: String
        /// The start of the line, in seconds from the beginning of the track; `nil` if the lyrics have no times.
        public var start: Double?
    }

    /// The known lyrics, one text for each language or version.
    public var lyrics: [Text]

    /// Creates a response from stored lyrics.
    package init(_ lyrics: [Lyrics]) {
        self.lyrics = lyrics.map { lyrics in
            Text(
                language: lyrics.language,
                lines: lyrics.lines.map { Line(text: $0.text, start: $0.start?.seconds) },
                attribution: lyrics.attribution
            )
        }
    }
}
