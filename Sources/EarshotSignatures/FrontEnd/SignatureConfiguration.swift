/// The way audio is turned into landmarks. Only signatures of one configuration can be compared.
///
/// Its number travels with every signature and catalog; a number that this program does not know is refused.
public struct SignatureConfiguration: Hashable, Sendable {
    /// The number in files.
    public let id: UInt32

    /// 16 kHz, windows of 128 ms every 16 ms, 48 bins an octave from 180 Hz to 5.7 kHz, up to 80 landmarks a second.
    public static let standard = SignatureConfiguration(known: 1)

    /// The configuration with a number; `nil` for an unknown number.
    public init?(id: UInt32) {
        guard id == Self.standard.id else { return nil }
        self = .standard
    }

    private init(known id: UInt32) {
        self.id = id
    }

    /// Samples a second during analysis, in hertz.
    package static let sampleRate = 16_000
    /// Ranks kept: at most this many landmarks within about a second.
    static let maximumRank = 80
}
