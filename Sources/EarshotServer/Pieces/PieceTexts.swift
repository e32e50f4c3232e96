import EarshotPieces

/// The texts of the pages of pieces, in the language of their reader.
struct PieceTexts: Sendable {
    private let words: [String: String]
    private let naming: KeyNaming

    /// Creates the texts of a language.
    ///
    /// - Parameters:
    ///   - language: The language code, such as `de`.
    ///   - texts: The texts of that language.
    init(language: String, texts: PageTexts.Language) {
        words = texts["piece"] ?? [:]
        naming = KeyNaming(language: KeyNaming.Language(rawValue: language) ?? .english)
    }

    /// Returns a text, with values in place of their names in braces; the name of the text if there is none.
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

    /// Returns the name of the key of a piece. In languages without names of keys, it is the piece's own English label.
    func key(_ piece: Piece) -> String {
        naming.language == .english ? piece.label : naming.label(piece.tonality)
    }
}
