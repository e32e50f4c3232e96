/// The parameters by which audio is turned into landmarks. Only signatures of the same configuration can be compared.
///
/// Every signature and catalog contains the number of its configuration. A reader rejects an unknown number.
public struct SignatureConfiguration: Hashable, Sendable {
    /// The number of the configuration in files.
    public let id: UInt32

    /// The current configuration: 16 kHz, windows of 128 ms every 16 ms, 48 bins an octave from 180 Hz to 5.7 kHz, up
    /// to 80 landmarks a second.
    public static let standard = SignatureConfiguration(known: 1)

    /// Returns the configuration with a number; `nil` for an unknown number.
    public init?(id: UInt32) {
        guard id == Self.standard.id else { return nil }
        self = .standard
    }

    private init(known id: UInt32) {
        self.id = id
    }

    /// The sample rate of the analysis, in hertz.
    package static let sampleRate = 16_000
    /// Ranks kept: at most this many landmarks within about a second.
    static let maximumRank = 80
}
