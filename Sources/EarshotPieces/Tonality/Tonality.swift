/// The musical key of a piece, as far as its maker knows it.
public enum Tonality: Hashable, Sendable {
    /// Its maker cannot tell.
    case unknown
    /// It has no tonal content, such as a loop of drums.
    case atonal
    /// It keeps to the pitch classes of a scale, which begins on a root.
    case tonal(ScaleMask, root: PitchClass)

    /// The major key on a root.
    public static func major(_ root: PitchClass) -> Tonality { .tonal(.major(on: root), root: root) }

    /// The natural minor key on a root.
    public static func minor(_ root: PitchClass) -> Tonality { .tonal(.major(on: root.raised(by: 3)), root: root) }

    /// `true` for a key whose root is not one of its pitch classes. This is allowed, but worth a warning.
    public var isRootOutside: Bool {
        if case .tonal(let mask, let root) = self { !mask.contains(root) } else { false }
    }

    /// The pitch classes that an automatic tuning may keep, upwards from C; `nil` if the piece is not tonal, and none
    /// should be preferred.
    public var allowedPitchClasses: [PitchClass]? {
        if case .tonal(let mask, _) = self { mask.members() } else { nil }
    }

    /// The shift in semitones from this key to another, by the shortest way: −5 to 6. `nil` if either is not tonal.
    public func transposition(to other: Tonality) -> Int? {
        guard case .tonal(_, let from) = self, case .tonal(_, let to) = other else { return nil }
        let up = to.semitones(above: from)
        return up > 6 ? up - 12 : up
    }

    /// The key shifted by semitones; the same one if it is not tonal.
    public func transposed(by semitones: Int) -> Tonality {
        guard case .tonal(let mask, let root) = self else { return self }
        return .tonal(mask.raised(by: semitones), root: root.raised(by: semitones))
    }
}

extension Tonality: Codable {
    private enum Keys: String, CodingKey { case state, scale, root }
    private enum State: String, Codable { case unknown, atonal, tonal }

    /// Reads `{"state": "tonal", "scale": [twelve booleans], "root": 9}`, or a state alone. A scale without members is read too.
    ///
    /// - Throws: `DecodingError` for another state, another number of flags and a root outside 0 to 11.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        switch try values.decode(State.self, forKey: .state) {
        case .unknown: self = .unknown
        case .atonal: self = .atonal
        case .tonal:
            let flags = try values.decode([Bool].self, forKey: .scale)
            guard flags.count == 12 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .scale,
                    in: values,
                    debugDescription: "A scale has 12 flags."
                )
            }
            let root = try values.decode(PitchClass.self, forKey: .root)
            self = .tonal(try ScaleMask(flags: flags), root: root)
        }
    }

    /// Writes the form that ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        switch self {
        case .unknown: try values.encode(State.unknown, forKey: .state)
        case .atonal: try values.encode(State.atonal, forKey: .state)
        case .tonal(let mask, let root):
            try values.encode(State.tonal, forKey: .state)
            try values.encode(mask.flags, forKey: .scale)
            try values.encode(root, forKey: .root)
        }
    }
}
