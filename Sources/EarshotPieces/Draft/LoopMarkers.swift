/// The start and the end of the part of a piece that is repeated.
public struct LoopMarkers: Hashable, Sendable, Codable {
    /// The start.
    public let start: Microseconds
    /// The end, which is excluded.
    public let end: Microseconds

    /// Creates markers. A draft reports invalid ones.
    public init(start: Microseconds, end: Microseconds) {
        self.start = start
        self.end = end
    }

    /// The duration of the loop, in seconds.
    public var seconds: Double { end.seconds - start.seconds }
}
