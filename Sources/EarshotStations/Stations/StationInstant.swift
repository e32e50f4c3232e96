public import EarshotCore
public import Foundation

/// A time on two clocks: the wall clock, which may be set, and a monotonic one.
public struct StationInstant: Hashable, Sendable {
    /// By the clock on the wall.
    public var date: Date
    /// By the clock that never steps back; only differences mean something.
    public var uptime: MediaTime

    /// An instant.
    ///
    /// - Parameters:
    ///   - date: By the clock on the wall.
    ///   - uptime: By the clock that never steps back.
    public init(date: Date, uptime: MediaTime) {
        self.date = date
        self.uptime = uptime
    }
}
