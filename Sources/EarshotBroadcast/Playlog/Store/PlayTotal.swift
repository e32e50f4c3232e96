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
    /// How many plays begin within the span.
    public var plays: Int
    /// How many seconds were played within the span; of a play that goes beyond it, its share.
    public var seconds: Double
    /// On how many channels.
    public var channels: Int
    /// When the first of them began, which may be before the span.
    public var first: Date
    /// When the last of them began.
    public var last: Date

    /// A total.
    ///
    /// - Parameters:
    ///   - key: What was added up.
    ///   - plays: How many plays begin within the span.
    ///   - seconds: How many seconds were played within the span.
    ///   - channels: On how many channels.
    ///   - first: When the first of them began.
    ///   - last: When the last of them began.
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
