/// The named scales, by the steps above their root that belong to them.
public enum ScaleKind: String, Hashable, Sendable, CaseIterable {
    /// The major scale, or Ionian mode.
    case major
    /// The natural minor scale, or Aeolian mode.
    case minor
    /// A minor scale with a major sixth.
    case dorian
    /// A minor scale with a minor second.
    case phrygian
    /// A major scale with an augmented fourth.
    case lydian
    /// A major scale with a minor seventh.
    case mixolydian
    /// A minor scale with a minor second and a diminished fifth.
    case locrian
    /// A minor scale with a major seventh.
    case harmonicMinor
    /// A minor scale with a major sixth and seventh.
    case melodicMinor
    /// A major scale with a minor sixth.
    case harmonicMajor
    /// A major scale without fourth and seventh.
    case majorPentatonic
    /// A minor scale without second and sixth.
    case minorPentatonic
    /// A minor pentatonic with an added diminished fifth.
    case blues
    /// Six whole tones.
    case wholeTone
    /// Eight notes, alternately a semitone and a tone apart.
    case diminishedHalfWhole
    /// Eight notes, alternately a tone and a semitone apart.
    case diminishedWholeHalf
    /// All twelve pitch classes.
    case chromatic

    /// The steps of the scale above the root: bit *i* is *i* semitones above.
    public var relativeMask: UInt16 {
        switch self {
        case .major: 0b1010_1011_0101
        case .minor: 0b0101_1010_1101
        case .dorian: 0b0110_1010_1101
        case .phrygian: 0b0101_1010_1011
        case .lydian: 0b1010_1101_0101
        case .mixolydian: 0b0110_1011_0101
        case .locrian: 0b0101_0110_1011
        case .harmonicMinor: 0b1001_1010_1101
        case .melodicMinor: 0b1010_1010_1101
        case .harmonicMajor: 0b1001_1011_0101
        case .majorPentatonic: 0b0010_1001_0101
        case .minorPentatonic: 0b0100_1010_1001
        case .blues: 0b0100_1110_1001
        case .wholeTone: 0b0101_0101_0101
        case .diminishedHalfWhole: 0b0110_1101_1011
        case .diminishedWholeHalf: 0b1011_0110_1101
        case .chromatic: 0b1111_1111_1111
        }
    }

    /// Creates the scale of a mask on a root; `nil` if it has no name.
    public init?(_ mask: ScaleMask, root: PitchClass) {
        guard let kind = Self.kinds[mask.raised(by: -root.rawValue).rawValue] else { return nil }
        self = kind
    }

    private static let kinds = Dictionary(uniqueKeysWithValues: allCases.map { ($0.relativeMask, $0) })

    /// The distance of its root on the line of fifths from the root of the major scale with the same notes; `nil` for
    /// scales that are not a mode of a major one.
    var fifthsAboveMajor: Int? {
        switch self {
        case .lydian: -1
        case .major: 0
        case .mixolydian: 1
        case .dorian: 2
        case .minor: 3
        case .phrygian: 4
        case .locrian: 5
        default: nil
        }
    }
}
