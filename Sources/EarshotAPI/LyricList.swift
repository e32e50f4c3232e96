import EarshotCore
package import EarshotMusic

/// The words of a track, as a service tells them.
public struct LyricList: Hashable, Sendable, Codable {
    /// Words in one language.
    public struct Text: Hashable, Sendable, Codable {
        /// The language, as ISO 639-3 code.
        public var language: String?
        /// The lines in order; an empty line separates verses.
        public var lines: [Line]
        /// The author and license, to be shown with the lyrics.
        public var attribution: String?
    }

    /// A line.
    public struct Line: Hashable, Sendable, Codable {
        /// The words.
        public var text: String
        /// The start, in seconds from the beginning of the track.
        public var start: Double?
    }

    /// Each of the texts that are known.
    public var lyrics: [Text]

    /// The words as they are kept.
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
