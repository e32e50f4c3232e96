public import Foundation

/// By what plays are added up.
public enum PlayGrouping: String, Hashable, Sendable, CaseIterable {
    /// By their reference.
    case reference
    /// By their channel.
    case channel
    /// By their kind.
    case kind
}

/// Plays added up.
public struct PlayTotal: Hashable, Sendable, Codable {
    /// The reference, the channel or the kind; empty for plays without a reference.
    public var key: String
    /// The number of plays that begin within the interval.
    public var plays: Int
    /// The seconds played within the interval.
    public var seconds: Double
    /// On how many channels.
    public var channels: Int
    /// The start of the first play, which may be before the interval.
    public var first: Date
    /// The start of the last play.
    public var last: Date

    /// A total.
    ///
    /// - Parameters:
    ///   - key: The value that the plays are grouped by.
    ///   - plays: The number of plays that begin within the interval.
    ///   - seconds: The seconds played within the interval.
    ///   - channels: On how many channels.
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

    /// Most plays first; of equal ones in the order of their keys' bytes.
    package static func isBefore(_ left: PlayTotal, _ right: PlayTotal) -> Bool {
        guard left.plays == right.plays else { return left.plays > right.plays }
        return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
}
