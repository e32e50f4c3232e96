import EarshotPieces

/// The words of the pages of pieces, in the language of their reader.
struct PieceTexts: Sendable {
    private let words: [String: String]
    private let naming: KeyNaming

    /// The words of a language.
    ///
    /// - Parameters:
    ///   - language: As `de`.
    ///   - texts: Its texts.
    init(language: String, texts: PageTexts.Language) {
        words = texts["piece"] ?? [:]
        naming = KeyNaming(language: KeyNaming.Language(rawValue: language) ?? .english)
    }

    /// A text, with values in place of `{their names}`.
    func callAsFunction(_ name: String, _ values: [String: String] = [:]) -> String {
        var rest = Substring(words[name] ?? name)
        var text = ""
        // In one pass: a value may have braces of its own.
        while let begin = rest.firstIndex(of: "{"), let end = rest[begin...].firstIndex(of: "}") {
            text += rest[..<begin]
            text += values[String(rest[rest.index(after: begin)..<end])] ?? String(rest[begin...end])
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// The name of the key of a piece. Languages without names of keys have the English ones, in the spelling of the piece.
    func key(_ piece: Piece) -> String {
        naming.language == .english ? piece.label : naming.label(piece.tonality)
    }
}
