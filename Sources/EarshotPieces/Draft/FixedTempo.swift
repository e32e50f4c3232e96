/// A tempo that is constant throughout a piece.
public struct FixedTempo: Hashable, Sendable, Codable {
    /// The range of a tempo, in beats a minute.
    public static let range = 1...999.999

    /// The beats a minute, rounded to three decimals.
    public let beatsPerMinute: Double

    /// A tempo.
    /// Creates a tempo. A draft reports one outside of ``range``.
    ///
    /// - Parameter beatsPerMinute: The beats a minute; rounded to three decimals, halves away from zero.
    public init(_ beatsPerMinute: Double) {
        let rounded = (beatsPerMinute * 1_000).rounded(.toNearestOrAwayFromZero) / 1_000
        self.beatsPerMinute = rounded.isFinite ? rounded : beatsPerMinute
    }

    /// The duration of a beat, in seconds.
    public var secondsPerBeat: Double { 60 / beatsPerMinute }

    /// Decodes a number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Encodes a number.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(beatsPerMinute)
    }
}
