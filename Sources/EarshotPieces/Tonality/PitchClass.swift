/// One of the twelve pitch classes, as the number of semitones above C, independent of the octave.
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

    /// Returns the pitch class shifted up by a number of semitones; negative shifts it down.
    public func raised(by semitones: Int) -> PitchClass {
        // In range by construction: the remainder is brought to 0 to 11.
        PitchClass.allCases[((rawValue + semitones % 12) % 12 + 12) % 12]
    }

    /// Returns the number of semitones above another pitch class, from 0 to 11.
    public func semitones(above other: PitchClass) -> Int {
        (rawValue - other.rawValue + 12) % 12
    }
}
