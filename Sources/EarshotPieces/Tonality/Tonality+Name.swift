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
    ///   - language: Whose notes they are where the words do not say. It matters for one: a German `B` is B flat, and an `H` is B.
    ///     German words, as in `B-Dur`, say it by themselves.
    public init?(name: String, language: KeyNaming.Language? = nil) {
        // No name is longer; a hostile one costs nothing.
        guard name.utf8.count <= 200, let tonality = KeyParser(language: language).tonality(name) else { return nil }
        self = tonality
    }
}
