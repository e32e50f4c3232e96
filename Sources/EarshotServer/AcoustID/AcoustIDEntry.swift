import EarshotCore

/// A recording on one of its releases, or on none, in the form of answers.
struct AcoustIDEntry: Sendable {
    /// A release and its group.
    struct Release: Sendable {
        var id: String
        var title: String
        /// The MBID of the release group; empty if it is not known.
        var group: String
        var isCompilation: Bool
        var date: JSONValue?
        var mediumCount: Int
        var trackCount: Int?
        var artists: JSONValue

        /// The key that identifies its group. Two releases of unknown groups belong to different groups.
        var groupKey: String { group.isEmpty ? "release \(id)" : group }
    }

    /// The position of the track on the release.
    struct Place: Sendable {
        var medium: Int
        var format: String?
        var mediumTitle: String?
        var trackCount: Int?
        /// The MBID of the track; empty if it is not known.
        var id: String
        var position: Int
        var title: String
        var artists: JSONValue
        var duration: Double?
    }

    /// The MBID of the recording.
    var recording: String
    var title: String
    var duration: Double?
    var artists: JSONValue
    var isrcs: [String]
    var release: Release?
    var place: Place?
}
