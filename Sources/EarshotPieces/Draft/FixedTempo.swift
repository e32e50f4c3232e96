/// A tempo that a piece keeps from its begin to its end.
public struct FixedTempo: Hashable, Sendable, Codable {
    /// The range of a tempo, in beats a minute.
    public static let range = 1...999.999

    /// Beats a minute, to three decimals.
    public let beatsPerMinute: Double

    /// A tempo.
    ///
    /// - Parameter beatsPerMinute: Beats a minute; rounded to three decimals, halves away from zero.
    public init(_ beatsPerMinute: Double) {
        let rounded = (beatsPerMinute * 1_000).rounded(.toNearestOrAwayFromZero) / 1_000
        self.beatsPerMinute = rounded.isFinite ? rounded : beatsPerMinute
    }

    /// The length of a beat, in seconds.
    public var secondsPerBeat: Double { 60 / beatsPerMinute }

    /// Reads a number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes a number.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(beatsPerMinute)
    }
}
