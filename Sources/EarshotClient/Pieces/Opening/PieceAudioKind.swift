/// Which sound of a piece.
public enum PieceAudioKind: Hashable, Sendable {
    /// The sound that an app puts on its timeline: the mix.
    case stem
    /// One of the stems that the mix is made of, by its name: one of `Piece.stems`.
    case named(String)
    /// The sound that is played to people who look for pieces; the mix, where a piece has none of its own.
    case preview

    /// What a service is asked with.
    var parameters: [(String, String)] {
        switch self {
        case .stem: [("kind", "stem")]
        case .named(let name): [("kind", "stem"), ("name", name)]
        case .preview: [("kind", "preview")]
        }
    }

    /// What it is called in an error.
    var words: String {
        switch self {
        case .stem: "The sound"
        case .named(let name): "The stem \"\(name.prefix(80))\""
        case .preview: "The preview"
        }
    }
}
