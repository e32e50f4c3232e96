extension Tonality {
    /// The label of the key in English with plain accidentals; ``KeyNaming`` has other forms.
    public var label: String { KeyNaming().label(self) }

    /// The label in older services: the major scale with the same notes, for any root, and `Exotic` for any other
    /// scale. `nil` if the piece is not tonal.
    public var legacyLabel: String? {
        guard case .tonal(let mask, _) = self else { return nil }
        guard let root = PitchClass.allCases.first(where: { ScaleMask.major(on: $0) == mask }) else { return "Exotic" }
        return KeyNaming().label(root)
    }

    /// The value for tags of audio files, as in ID3v2's frame TKEY: `C`, `F#m`, `Eb`, and `o` without a key. Tags have
    /// no values for scales other than major and minor.
    public var initialKey: String? { initialKey(spelling: nil) }

    /// The name of the key in tags, as ``initialKey``, with a spelling of its root.
    public func initialKey(spelling: NoteSpelling?) -> String? {
        guard case .tonal(let mask, let root) = self else { return self == .atonal ? "o" : nil }
        guard mask.contains(root), let kind = ScaleKind(mask, root: root) else { return nil }
        // Without the scale's name the label is the root as that scale has it spelt.
        let note = String(KeyNaming().label(kind, on: root, spelling: spelling).prefix { $0 != " " })
        switch kind {
        case .major: return note
        case .minor: return note + "m"
        default: return nil
        }
    }
}
