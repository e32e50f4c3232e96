public import EarshotCore
import EarshotMusic

/// A command, spoken or typed, as text: `PLAY ALBUM MOONDANCE`, `next track`, `usb`.
public enum LibraryCommand: Hashable, Sendable {
    /// Switch to a source other than the library, such as `usb`.
    case source(SourceWord)
    /// `play album …`, with the name to search for.
    case playAlbum(String)
    /// `play track …`, with the name to search for.
    case playTrack(String)
    /// `play artist …`, with the name to search for.
    case playArtist(String)
    /// `play …`: an album, an artist or a track.
    case play(String)
    /// `next track`
    case nextTrack

    /// The largest size of a command, in bytes.
    public static let maximumSize = 4_000

    /// Parses a command in any letter case and width. Names are kept as given; spelling matters only in the search.
    ///
    /// - Parameter text: The command.
    /// - Throws: `requestInvalid` if the text is not a command, names nothing, or is longer than ``maximumSize``.
    public init(_ text: String) throws(EarshotError) {
        guard text.utf8.count <= Self.maximumSize else {
            throw EarshotError(
                .requestInvalid,
                "The command has more than the \(Self.maximumSize) bytes that are allowed: shorten it."
            )
        }
        let whole = SearchText(text).exact
        if let word = SourceWord.allCases.first(where: { $0.key == whole || $0.key.filter { $0 != " " } == whole }) {
            self = .source(word)
            return
        }
        if whole == "next track" {
            self = .nextTrack
            return
        }
        let (verb, rest) = Self.firstWord(text[...])
        guard verb == "play" else {
            throw EarshotError(
                .requestInvalid,
                "\"\(text.prefix(80))\" is no command: say play album, play track, play artist or play with a name, "
                    + "next track, line in, USB, CD or FM."
            )
        }
        let (noun, name) = Self.firstWord(rest)
        let make: (String) -> LibraryCommand
        switch noun {
        case "album": make = LibraryCommand.playAlbum
        case "track": make = LibraryCommand.playTrack
        case "artist": make = LibraryCommand.playArtist
        default:
            self = .play(try Self.name(rest, after: "play"))
            return
        }
        self = make(try Self.name(name, after: "play \(noun)"))
    }

    /// Parses a command. Words that are no command become ``play(_:)``, a search of albums, artists and tracks.
    ///
    /// - Parameter text: The command, or the words.
    /// - Throws: `requestInvalid` for a command without a name, for words without a visible character, and for more
    ///   than ``maximumSize`` bytes.
    public init(searching text: String) throws(EarshotError) {
        guard text.utf8.count <= Self.maximumSize, !Self.isCommand(text) else {
            self = try LibraryCommand(text)
            return
        }
        let words = text.drop(while: \.isWhitespace)
        guard let last = words.lastIndex(where: { !$0.isWhitespace }), !SearchText(text).exact.isEmpty else {
            throw EarshotError(.requestInvalid, "\"\(text.prefix(80))\" has no name: give the name to search for.")
        }
        self = .play(String(words[...last]))
    }

    private static func isCommand(_ text: String) -> Bool {
        let whole = SearchText(text).exact
        return whole == "next track" || firstWord(text[...]).key == "play"
            || SourceWord.allCases.contains { $0.key == whole || $0.key.filter { $0 != " " } == whole }
    }

    /// The name to search for; `nil` for commands without a name.
    public var name: String? {
        switch self {
        case .playAlbum(let name), .playTrack(let name), .playArtist(let name), .play(let name): name
        case .source, .nextTrack: nil
        }
    }

    /// The key of the first word of a text, and what stands behind it.
    private static func firstWord(_ text: Substring) -> (key: String, rest: Substring) {
        let text = text.drop(while: \.isWhitespace)
        let word = text.prefix { !$0.isWhitespace }
        return (SearchText(String(word)).exact, text[word.endIndex...])
    }

    private static func name(_ text: Substring, after words: String) throws(EarshotError) -> String {
        let text = text.drop(while: \.isWhitespace)
        guard let last = text.lastIndex(where: { !$0.isWhitespace }), !SearchText(String(text)).exact.isEmpty else {
            throw EarshotError(.requestInvalid, "\"\(words)\" has no name after it: add the name of what to play.")
        }
        return String(text[...last])
    }
}
