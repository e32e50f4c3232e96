public import EarshotRecognition

/// The response to a recognition, a search or a fetch of music.
public struct MatchList: Hashable, Sendable, Codable {
    /// The matches, best first; empty if nothing matches.
    public var matches: [MusicMatch]
    /// The number of the entry in the user's history that contains the best match; `nil` if it was not recorded.
    public var historyEntry: Int?
    /// The landmarks (spectral peaks) of the recording, ordered by time; `nil` if they were not requested.
    public var landmarks: [RecordingLandmark]?

    /// The part of the catalog that was searched; `nil` if all of it was searched.
    public var searched: SearchedPart?

    /// Creates a response.
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
