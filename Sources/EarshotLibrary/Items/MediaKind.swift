public import EarshotCore

/// The kind of an item of a library, such as a song. Libraries may define further kinds.
public struct MediaKind: StringIdentifier {
    /// The name of the kind, as in JSON.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A song or other piece of music.
    public static let song = MediaKind(rawValue: "song")
    /// An episode of a podcast.
    public static let podcast = MediaKind(rawValue: "podcast")
    /// An audiobook, or a part of one.
    public static let audiobook = MediaKind(rawValue: "audiobook")
    /// A music video.
    public static let musicVideo = MediaKind(rawValue: "musicVideo")
}
