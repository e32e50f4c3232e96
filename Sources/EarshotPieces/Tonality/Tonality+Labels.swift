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

    /// The value for tags of audio files, as in the frame TKEY of ID3v2: `C`, `F#m`, `Eb`, and `o` for an atonal piece.
    /// `nil` for an unknown key, and for scales other than major and minor.
    public var initialKey: String? { initialKey(spelling: nil) }

    /// Returns the value for tags, as ``initialKey``, with a spelling of the root.
    public func initialKey(spelling: NoteSpelling?) -> String? {
        guard case .tonal(let mask, let root) = self else { return self == .atonal ? "o" : nil }
        guard mask.contains(root), let kind = ScaleKind(mask, root: root) else { return nil }
        // The label without the scale's name is the root as that scale spells it.
        let note = String(KeyNaming().label(kind, on: root, spelling: spelling).prefix { $0 != " " })
        switch kind {
        case .major: return note
        case .minor: return note + "m"
        default: return nil
        }
    }
}
