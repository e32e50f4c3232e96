import EarshotCore

/// A recording in one of its places, or in none, as answers tell it.
struct AcoustIDEntry: Sendable {
    /// A release with what it says of its group.
    struct Release: Sendable {
        var id: String
        var title: String
        /// Empty when it is not known.
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
        /// The track's own id; empty when it is not known.
        var id: String
        var position: Int
        var title: String
        var artists: JSONValue
        var duration: Double?
    }

    /// The recording's MBID.
    var recording: String
    var title: String
    var duration: Double?
    var artists: JSONValue
    var isrcs: [String]
    var release: Release?
    var place: Place?
}
