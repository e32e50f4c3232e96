extension Tonality {
    /// What the key is called in English with plain accidentals; ``KeyNaming`` has other forms.
    public var label: String { KeyNaming().label(self) }

    /// What older services called it: the major scale of the same notes, whatever the root, and `Exotic` for any other scale.
    /// Nothing where the piece is not tonal.
    public var legacyLabel: String? {
        guard case .tonal(let mask, _) = self else { return nil }
        guard let root = PitchClass.allCases.first(where: { ScaleMask.major(on: $0) == mask }) else { return "Exotic" }
        return KeyNaming().label(root)
    }
}
