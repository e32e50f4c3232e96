/// The matches of a recording, with the part of the catalog that was searched for them.
public struct RecognitionAnswer: Hashable, Sendable {
    /// The matches, best first; empty if nothing matches.
    public var matches: [MusicMatch]
    /// The part of the catalog that was searched; `nil` if all of it was searched.
    public var searched: SearchedPart?

    /// Creates an answer.
    public init(matches: [MusicMatch], searched: SearchedPart? = nil) {
        (self.matches, self.searched) = (matches, searched)
    }
}
