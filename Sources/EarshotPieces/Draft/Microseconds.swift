public import EarshotCore

/// A time or a length in whole microseconds, as pieces keep them.
public struct Microseconds: Hashable, Sendable, Comparable, Codable, ExpressibleByIntegerLiteral {
    /// The microseconds.
    public let count: Int64

    /// So many microseconds.
    public init(_ count: Int64) {
        self.count = count
    }

    /// So many microseconds.
    public init(integerLiteral value: Int64) {
        count = value
    }

    /// The nearest whole microsecond, halves away from zero; the ends of what can be counted for times beyond them, and nothing for a
    /// time that is none.
    public init?(_ time: MediaTime) {
        guard time.isNumeric else { return nil }
        count = time.converted(toTimescale: 1_000_000).value
    }

    /// As a time.
    public var time: MediaTime { MediaTime(value: count, timescale: 1_000_000) }

    /// In seconds.
    public var seconds: Double { Double(count) / 1_000_000 }

    /// Which of two is shorter, or earlier.
    public static func < (one: Microseconds, other: Microseconds) -> Bool { one.count < other.count }

    /// Reads a whole number.
    public init(from decoder: any Decoder) throws {
        count = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes a whole number.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(count)
    }
}
