public import EarshotCore

/// The kind of an item of a library: an open list, because libraries have kinds of their own.
public struct MediaKind: StringIdentifier {
    /// The name of the kind, as in JSON.
    public let rawValue: String

    /// A kind of a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A piece of music.
    public static let song = MediaKind(rawValue: "song")
    /// An episode of a podcast.
    public static let podcast = MediaKind(rawValue: "podcast")
    /// A book that is read aloud, or a part of one.
    public static let audiobook = MediaKind(rawValue: "audiobook")
    /// A music video.
    public static let musicVideo = MediaKind(rawValue: "musicVideo")
}
