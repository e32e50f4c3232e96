extension Tonality {
    /// The compatible sets of notes, its own first. For the notes of a major scale these include the neighbors on the
    /// circle of fifths, which differ in one note. Empty if it is not tonal.
    public var compatibleScales: [ScaleMask] {
        guard case .tonal(let mask, _) = self else { return [] }
        guard PitchClass.allCases.contains(where: { ScaleMask.major(on: $0) == mask }) else { return [mask] }
        return [mask, mask.raised(by: 7), mask.raised(by: -7)]
    }

    /// The keys of pieces that are compatible with one in this key, itself first.
    ///
    /// Keys with the same set of notes are compatible, on any root: A minor and C major. Keys with the notes of a major
    /// scale, such as all seven modes, are also compatible with those a fifth up and a fifth down: C major with G
    /// major, F major, E minor and D minor. Other scales are compatible only with their own notes. Empty if it is not
    /// tonal.
    public var compatible: [Tonality] {
        guard case .tonal(_, let root) = self else { return [] }
        let keys = compatibleScales.flatMap { scale in
            scale.members(from: root).map { Tonality.tonal(scale, root: $0) }
        }
        return keys.contains(self) ? keys : [self] + keys
    }

    /// Returns `true` if pieces in both keys are compatible: the set of notes of one is in ``compatibleScales`` of the
    /// other, independent of the roots.
    public func isCompatible(with other: Tonality) -> Bool {
        guard case .tonal(let mask, _) = other else { return false }
        return compatibleScales.contains(mask)
    }
}
