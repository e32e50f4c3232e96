extension Tonality {
    /// What the key is called in English with plain accidentals; ``KeyNaming`` has other forms.
    public var label: String { KeyNaming().label(self) }

    /// What older services called it: the major scale of the same notes, whatever the root, and `Exotic` for any other
    /// scale. `nil` if the piece is not tonal.
    public var legacyLabel: String? {
        guard case .tonal(let mask, _) = self else { return nil }
        guard let root = PitchClass.allCases.first(where: { ScaleMask.major(on: $0) == mask }) else { return "Exotic" }
        return KeyNaming().label(root)
    }

    /// What tags of sound files call it, as ID3v2's frame TKEY has it: `C`, `F#m`, `Eb`, and `o` where there is none. Tags have no
    /// words for other scales than major and minor.
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
