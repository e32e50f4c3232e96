/// The kind of audio of a piece: the mix, one stem, or the preview.
public enum PieceAudioKind: Hashable, Sendable {
    /// The mix, for use in the timeline of an app.
    case stem
    /// One of the stems of which the mix is made, by its name in `Piece.stems`.
    case named(String)
    /// The preview, for playback to listeners; the mix if the piece has no preview.
    case preview

    /// The query parameters of the request.
    var parameters: [(String, String)] {
        switch self {
        case .stem: [("kind", "stem")]
        case .named(let name): [("kind", "stem"), ("name", name)]
        case .preview: [("kind", "preview")]
        }
    }

    /// The name in errors.
    var words: String {
        switch self {
        case .stem: "The sound"
        case .named(let name): "The stem \"\(name.prefix(80))\""
        case .preview: "The preview"
        }
    }
}
