public import EarshotCore

/// The name of a property of a media item.
///
/// Common keys are predefined and have a fixed type. An app adds its own in an extension:
///
/// ```swift
/// extension MediaItemKey {
///     static let teacher: MediaItemKey = "teacher"
/// }
/// ```
public struct MediaItemKey: StringIdentifier, ExpressibleByStringLiteral {
    /// The name: 1 to 128 characters.
    public let rawValue: String

    /// Creates a key with a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a key with a name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a key from a string literal.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The title. Text.
    public static let title: MediaItemKey = "title"
    /// A second line under the title. Text.
    public static let subtitle: MediaItemKey = "subtitle"
    /// The artist. Text.
    public static let artist: MediaItemKey = "artist"
    /// The title of the album. Text.
    public static let album: MediaItemKey = "album"
    /// The genres of the music. An array of text.
    public static let genres: MediaItemKey = "genres"
    /// The address of an image. Text.
    public static let artworkURL: MediaItemKey = "artworkURL"
    /// The address of a video. Text.
    public static let videoURL: MediaItemKey = "videoURL"
    /// The address of a web page. Text.
    public static let webURL: MediaItemKey = "webURL"
    /// The International Standard Recording Code. Text.
    public static let isrc: MediaItemKey = "isrc"
    /// `true` if the lyrics are explicit. Boolean.
    public static let explicitContent: MediaItemKey = "explicitContent"
    /// The item's identifier in a store. Text.
    public static let storeID: MediaItemKey = "storeID"
    /// The item's address in a store. Text.
    public static let storeURL: MediaItemKey = "storeURL"
    /// The item's identifier in a recognition service. Text.
    public static let serviceID: MediaItemKey = "serviceID"
    /// The date on which the item was created. A date.
    public static let creationDate: MediaItemKey = "creationDate"
    /// The parts of the reference that the item describes. An array of pairs of reals: start and end in seconds, the
    /// end excluded.
    public static let timeRanges: MediaItemKey = "timeRanges"
    /// The frequency skews at which the item applies. An array of pairs of reals: the relative skews from and to, the
    /// latter excluded.
    public static let frequencySkewRanges: MediaItemKey = "frequencySkewRanges"
    /// Timed content of the reference. A dictionary with an array `entries` of dictionaries, each with its `start` in
    /// seconds. Written and read by EarshotTimedContent.
    public static let timeline: MediaItemKey = "timeline"
    /// The position of the query's start in the reference, in seconds. A real, set by a match.
    public static let matchOffset: MediaItemKey = "matchOffset"
    /// The relative deviation of the query's pitch from the reference's. A real, set by a match.
    public static let frequencySkew: MediaItemKey = "frequencySkew"
    /// The confidence of the match, from 0 to 1. A real, set by a match.
    public static let confidence: MediaItemKey = "confidence"

    /// The keys that only a match sets.
    static let writtenByMatch: Set<MediaItemKey> = [.matchOffset, .frequencySkew, .confidence]
}
