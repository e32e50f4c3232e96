public import EarshotRecognition

/// The answer to a recognition, a search and a fetch.
public struct MatchList: Hashable, Sendable, Codable {
    /// The matches, best first; none when nothing fits.
    public var matches: [MusicMatch]

    /// An answer.
    package init(_ matches: [MusicMatch]) {
        self.matches = matches
    }
}
