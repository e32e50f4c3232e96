extension Tonality {
    /// Parses the name of a key; `nil` for any other text.
    ///
    /// These names are accepted, in any letter case except where it has a meaning:
    ///
    /// - all labels of ``KeyNaming`` for named scales, `No key` and `Key unknown`, in all its languages;
    /// - the short forms `Am`, `C#m`, `Ebmin`, `F#maj`, `CM`, and an uppercase `C` for C major, as in ID3;
    /// - `unknown`, `atonal` and `none`;
    /// - `mask:2741:9`: the bits of a scale, and its root from 0 to 11.
    ///
    /// - Parameters:
    ///   - name: The name. `♭` and `b`, `♯` and `#` are the same, and so are spaces and hyphens.
    ///   - language: The language of note names, if the text does not show it. It matters only for `B`, which is B flat
    ///     in German, where `H` is B. German words, as in `B-Dur`, show it by themselves.
    public init?(name: String, language: KeyNaming.Language? = nil) {
        // No name is longer, so a longer text is not parsed.
        guard name.utf8.count <= 200, let tonality = KeyParser(language: language).tonality(name) else { return nil }
        self = tonality
    }
}
