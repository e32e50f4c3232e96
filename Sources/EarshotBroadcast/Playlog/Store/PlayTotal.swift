public import Foundation

/// The grouping of totals.
public enum PlayGrouping: String, Hashable, Sendable, CaseIterable {
    /// By reference.
    case reference
    /// By channel.
    case channel
    /// By kind.
    case kind
}

/// The totals of a group of plays.
public struct PlayTotal: Hashable, Sendable, Codable {
    /// The reference, the channel or the kind; empty for plays without a reference.
    public var key: String
    /// The number of plays that begin within the interval.
    public var plays: Int
    /// The time played within the interval, in seconds.
    public var seconds: Double
    /// The number of channels.
    public var channels: Int
    /// The start of the first play, which may be before the interval.
    public var first: Date
    /// The start of the last play.
    public var last: Date

    /// Creates a total.
    ///
    /// - Parameters:
    ///   - key: The value that the plays are grouped by.
    ///   - plays: The number of plays that begin within the interval.
    ///   - seconds: The time played within the interval, in seconds.
    ///   - channels: The number of channels.
    ///   - first: The start of the first play.
    ///   - last: The start of the last play.
    public init(key: String, plays: Int, seconds: Double, channels: Int, first: Date, last: Date) {
        self.key = key
        self.plays = plays
        self.seconds = seconds
        self.channels = channels
        self.first = first
        self.last = last
    }

    /// Returns `true` if the first total comes before the second: most plays first, then by the bytes of the keys.
    package static func isBefore(_ left: PlayTotal, _ right: PlayTotal) -> Bool {
        guard left.plays == right.plays else { return left.plays > right.plays }
        return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
}
