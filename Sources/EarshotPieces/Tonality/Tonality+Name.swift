extension Tonality {
    /// Reads a key as people write it; `nil` for any other text.
    ///
    /// These are read, in any letter case but where that says something:
    ///
    /// - all labels that ``KeyNaming`` makes of scales with a name, of `No key` and of `Key unknown`, in all its languages;
    /// - the short forms `Am`, `C#m`, `Ebmin`, `F#maj`, `CM`, and `C` for C major, as in ID3, where it is written large;
    /// - `unknown`, `atonal` and `none`;
    /// - `mask:2741:9`: the bits of a scale, and its root, 0 to 11.
    ///
    /// - Parameters:
    ///   - name: The name. `♭` and `b`, `♯` and `#` are the same, and so are spaces and hyphens.
    ///   - language: The language of note names, if the text does not show it. It matters only for `B`, which is B flat
    ///     in German, where `H` is B. German words, as in `B-Dur`, show it by themselves.
    public init?(name: String, language: KeyNaming.Language? = nil) {
        // No name is longer; a hostile one costs nothing.
        guard name.utf8.count <= 200, let tonality = KeyParser(language: language).tonality(name) else { return nil }
        self = tonality
    }
}
