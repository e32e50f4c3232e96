public import EarshotCore
public import Foundation

/// An instant by both clocks: the one on the wall, which may be set, and one that never steps back.
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
