public import EarshotCore

/// The kind of a play. Operators may have kinds of their own: an unknown name is kept.
public struct PlayKind: StringIdentifier, ExpressibleByStringLiteral {
    /// The name in exports.
    public let rawValue: String

    /// A kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A kind of a name.
    public init(stringLiteral value: String) { rawValue = value }

    /// Music alone.
    public static let song: PlayKind = "song"
    /// Music with somebody speaking over it.
    public static let songUnderSpeech: PlayKind = "songUnderSpeech"
    /// A jingle, a signature tune.
    public static let jingle: PlayKind = "jingle"
    /// An advertisement.
    public static let advertisement: PlayKind = "advertisement"
    /// A programme, or a part of one.
    public static let programme: PlayKind = "programme"
    /// Nobody has said what it is.
    public static let unknown: PlayKind = "unknown"

    /// The kinds that have a meaning here, in the order in which they are shown.
    public static let known: [PlayKind] = [song, songUnderSpeech, jingle, advertisement, programme, unknown]
}
