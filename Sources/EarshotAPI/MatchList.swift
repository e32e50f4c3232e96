public import EarshotRecognition

/// The answer to a recognition, a search and a fetch.
public struct MatchList: Hashable, Sendable, Codable {
    /// The matches, best first; empty if nothing matches.
    public var matches: [MusicMatch]
    /// The number of the entry of the user's history that keeps the best match; `nil` if none does.
    public var historyEntry: Int?
    /// The landmarks of the recording, by time; `nil` if they were not asked for.
    public var landmarks: [RecordingLandmark]?

    /// The part of the catalog that was searched; `nil` if all of it was.
    public var searched: SearchedPart?

    /// An answer.
    package init(
        _ matches: [MusicMatch],
        historyEntry: Int? = nil,
        landmarks: [RecordingLandmark]? = nil,
        searched: SearchedPart? = nil
    ) {
        (self.matches, self.historyEntry, self.landmarks) = (matches, historyEntry, landmarks)
        self.searched = searched
    }
}
