public import EarshotCore
public import Foundation

/// A time on two clocks: the wall clock, which may be set, and a monotonic one.
public struct StationInstant: Hashable, Sendable {
    /// The time of the wall clock.
    public var date: Date
    /// The time of a monotonic clock; only differences have a meaning.
    public var uptime: MediaTime

    /// Creates an instant.
    ///
    /// - Parameters:
    ///   - date: The time of the wall clock.
    ///   - uptime: The time of a monotonic clock.
    public init(date: Date, uptime: MediaTime) {
        self.date = date
        self.uptime = uptime
    }
}
