public import EarshotCore

/// A time or a duration in whole microseconds, as in pieces.
public struct Microseconds: Hashable, Sendable, Comparable, Codable, ExpressibleByIntegerLiteral {
    /// The number of microseconds.
    public let count: Int64

    /// Creates a duration from a number of microseconds.
    public init(_ count: Int64) {
        self.count = count
    }

    /// Creates a duration from a number of microseconds.
    public init(integerLiteral value: Int64) {
        count = value
    }

    /// Creates the nearest duration to a time, with halves rounded away from zero, limited to the largest count. `nil`
    /// if the time is not numeric.
    public init?(_ time: MediaTime) {
        guard time.isNumeric else { return nil }
        count = time.converted(toTimescale: 1_000_000).value
    }

    /// The duration as a time.
    public var time: MediaTime { MediaTime(value: count, timescale: 1_000_000) }

    /// The duration, in seconds.
    public var seconds: Double { Double(count) / 1_000_000 }

    /// Compares two durations.
    public static func < (one: Microseconds, other: Microseconds) -> Bool { one.count < other.count }

    /// Decodes a whole number.
    public init(from decoder: any Decoder) throws {
        count = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes a whole number.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(count)
    }
}
