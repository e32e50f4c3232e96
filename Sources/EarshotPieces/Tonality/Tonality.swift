/// The musical key of a piece, as far as its maker knows it.
public enum Tonality: Hashable, Sendable {
    /// The key is not known.
    case unknown
    /// The piece has no tonal content, such as a loop of drums.
    case atonal
    /// The piece has the pitch classes of a scale, which begins on a root.
    case tonal(ScaleMask, root: PitchClass)

    /// Returns the major key on a root.
    public static func major(_ root: PitchClass) -> Tonality { .tonal(.major(on: root), root: root) }

    /// Returns the natural minor key on a root.
    public static func minor(_ root: PitchClass) -> Tonality { .tonal(.major(on: root.raised(by: 3)), root: root) }

    /// `true` if the root is not one of the key's pitch classes. This is allowed, but causes a warning.
    public var isRootOutside: Bool {
        if case .tonal(let mask, let root) = self { !mask.contains(root) } else { false }
    }

    /// The pitch classes that automatic tuning may use, upwards from C; `nil` if the piece is not tonal, so that all
    /// are allowed.
    public var allowedPitchClasses: [PitchClass]? {
        if case .tonal(let mask, _) = self { mask.members() } else { nil }
    }

    /// Returns the shift from this key to another in semitones, by the shortest way: −5 to 6. `nil` if either is not
    /// tonal.
    public func transposition(to other: Tonality) -> Int? {
        guard case .tonal(_, let from) = self, case .tonal(_, let to) = other else { return nil }
        let up = to.semitones(above: from)
        return up > 6 ? up - 12 : up
    }

    /// Returns the key shifted by a number of semitones; unchanged if it is not tonal.
    public func transposed(by semitones: Int) -> Tonality {
        guard case .tonal(let mask, let root) = self else { return self }
        return .tonal(mask.raised(by: semitones), root: root.raised(by: semitones))
    }
}

extension Tonality: Codable {
    private enum Keys: String, CodingKey { case state, scale, root }
    private enum State: String, Codable { case unknown, atonal, tonal }

    /// Decodes `{"state": "tonal", "scale": [twelve booleans, from C to B], "root": 9}`, with the root in semitones above C, or
    /// `{"state": "unknown"}` or `{"state": "atonal"}`, whose other keys are ignored. A scale without members is accepted.
    ///
    /// - Throws: `DecodingError` for another state, a tonal one without scale or root, another number of flags, or a root outside of 0
    ///   to 11.
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

    /// Encodes the form that ``init(from:)`` decodes.
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
