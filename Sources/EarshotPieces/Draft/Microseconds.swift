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

    /// The nearest whole microsecond, halves rounded away from zero, limited to the largest count; `nil` if the time is
    /// not numeric.
    public init?(_ time: MediaTime) {
        guard time.isNumeric else { return nil }
        count = time.converted(toTimescale: 1_000_000).value
    }

    /// The duration as a time.
    public var time: MediaTime { MediaTime(value: count, timescale: 1_000_000) }

    /// In seconds.
    public var seconds: Double { Double(count) / 1_000_000 }

    /// Compares two durations.
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
