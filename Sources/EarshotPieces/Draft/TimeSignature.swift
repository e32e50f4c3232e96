/// The number of beats in a bar, and the note value of a beat.
public struct TimeSignature: Hashable, Sendable, Codable {
    /// The range of the upper numeral.
    public static let uppers = 1...16
    /// The values of the lower numeral.
    public static let lowers = [2, 4, 8, 16]

    /// The number of beats in a bar.
    public let upper: Int
    /// The note value of a beat: 4 for a quarter note.
    public let lower: Int

    /// Creates a time signature. A draft reports an invalid one.
    public init(upper: Int, lower: Int) {
        self.upper = upper
        self.lower = lower
    }

    var isLegal: Bool { Self.uppers.contains(upper) && Self.lowers.contains(lower) }

    private enum Keys: String, CodingKey { case upper, lower, numerator, denominator }

    /// Decodes `upper` and `lower`, or `numerator` and `denominator`, as older services name them.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        upper = try values.decodeIfPresent(Int.self, forKey: .upper) ?? values.decode(Int.self, forKey: .numerator)
        lower = try values.decodeIfPresent(Int.self, forKey: .lower) ?? values.decode(Int.self, forKey: .denominator)
    }

    /// Encodes `upper` and `lower`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(upper, forKey: .upper)
        try values.encode(lower, forKey: .lower)
    }
}
