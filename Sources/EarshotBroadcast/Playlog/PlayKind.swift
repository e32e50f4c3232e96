public import EarshotCore

/// The kind of a play. Operators may have their own kinds: an unknown name is kept.
public struct PlayKind: StringIdentifier, ExpressibleByStringLiteral {
    /// The name of the kind in exports.
    public let rawValue: String

    /// Creates a kind with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a kind from a string literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// Music without speech.
    public static let song: PlayKind = "song"
    /// Music with speech over it.
    public static let songUnderSpeech: PlayKind = "songUnderSpeech"
    /// A jingle or a signature tune.
    public static let jingle: PlayKind = "jingle"
    /// An advertisement.
    public static let advertisement: PlayKind = "advertisement"
    /// A program, or a part of one.
    public static let programme: PlayKind = "programme"
    /// An unknown kind.
    public static let unknown: PlayKind = "unknown"

    /// The predefined kinds, in order of display.
    public static let known: [PlayKind] = [song, songUnderSpeech, jingle, advertisement, programme, unknown]
}
