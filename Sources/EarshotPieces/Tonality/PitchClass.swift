/// One of the twelve note names, whatever the octave, by its semitones above C.
public enum PitchClass: Int, Hashable, Sendable, Codable, CaseIterable {
    /// C.
    case c
    /// C sharp, or D flat.
    case cSharp
    /// D.
    case d
    /// D sharp, or E flat.
    case dSharp
    /// E.
    case e
    /// F.
    case f
    /// F sharp, or G flat.
    case fSharp
    /// G.
    case g
    /// G sharp, or A flat.
    case gSharp
    /// A.
    case a
    /// A sharp, or B flat.
    case aSharp
    /// B.
    case b

    /// The pitch class shifted by semitones; negative for down.
    public func raised(by semitones: Int) -> PitchClass {
        // In range by construction: the remainder is brought to 0 to 11.
        PitchClass.allCases[((rawValue + semitones % 12) % 12 + 12) % 12]
    }

    /// Semitones up from another pitch class: 0 to 11.
    public func semitones(above other: PitchClass) -> Int {
        (rawValue - other.rawValue + 12) % 12
    }
}
