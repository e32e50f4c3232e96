public import EarshotCore

/// The pitch classes of a tonality: bit *i* is *i* semitones above C.
public struct ScaleMask: OptionSet, Hashable, Sendable {
    /// The twelve bits; higher ones are always clear.
    public let rawValue: UInt16

    /// Creates a mask from its bits.
    ///
    /// - Parameter rawValue: The bits; those above the twelfth are ignored.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue & 0x0FFF
    }

    /// Creates a mask from its members.
    public init(_ members: some Sequence<PitchClass>) {
        self.init(rawValue: members.reduce(0) { $0 | 1 << UInt16($1.rawValue) })
    }

    /// Creates a mask from twelve flags, for C to B.
    ///
    /// - Throws: `requestInvalid` for another number of flags.
    public init(flags: [Bool]) throws(EarshotError) {
        guard flags.count == 12 else {
            throw EarshotError(
                .requestInvalid,
                "A scale has 12 flags, from C to B, and not \(flags.count): give one for each."
            )
        }
        self.init(zip(PitchClass.allCases, flags).filter(\.1).map(\.0))
    }

    /// Returns the seven pitch classes of a major scale.
    ///
    /// - Parameter root: The pitch class on which it begins.
    public static func major(on root: PitchClass) -> ScaleMask {
        ScaleMask(rawValue: ScaleKind.major.relativeMask).raised(by: root.rawValue)
    }

    /// The membership of each pitch class, from C to B.
    public var flags: [Bool] { PitchClass.allCases.map { contains($0) } }

    /// Returns `true` if a pitch class is a member.
    public func contains(_ pitch: PitchClass) -> Bool {
        rawValue >> UInt16(pitch.rawValue) & 1 == 1
    }

    /// Returns the members, upwards from a pitch class.
    public func members(from root: PitchClass = .c) -> [PitchClass] {
        (0..<12).map { root.raised(by: $0) }.filter { contains($0) }
    }

    /// Returns the mask of the scale shifted up by a number of semitones; negative shifts it down.
    public func raised(by semitones: Int) -> ScaleMask {
        let steps = UInt16((semitones % 12 + 12) % 12)
        return ScaleMask(rawValue: rawValue << steps | rawValue >> (12 - steps))
    }
}
