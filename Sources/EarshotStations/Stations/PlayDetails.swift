import EarshotBroadcast
import EarshotCatalogs
import EarshotCore

/// The metadata of a play, from the media items of its reference.
struct PlayDetails: Hashable, Sendable, Codable {
    var title: String?
    var artist: String?
    var album: String?
    var isrc: String?
    var label: String?
    var callerRef: String?
    var workID: String?
    /// The kind that the item states; `nil` if it states none.
    var kind: String?

    init(_ items: [MediaItem]) {
        func text(_ key: MediaItemKey) -> String? {
            items.lazy.compactMap { $0[key]?.string }.first { !$0.isEmpty }
        }
        (title, artist, album, isrc) = (text(.title), text(.artist), text(.album), text(.isrc))
        (label, callerRef, kind, workID) = (text("label"), text("callerRef"), text("kind"), text(.serviceID))
    }

    /// Returns the kind of a play: that of its item, otherwise by the duration of its reference in seconds.
    func kind(duration: Double, isForSpots: Bool, isUnderSpeech: Bool) -> PlayKind {
        let known: PlayKind =
            if let kind { PlayKind(rawValue: kind) } else if duration <= 20 {
                .jingle
            } else if isForSpots, duration <= 70 {
                .advertisement
            } else { .song }
        return known == .song && isUnderSpeech ? .songUnderSpeech : known
    }
}
