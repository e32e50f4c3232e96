/// The beginning and end of the part of a piece that is repeated.
public struct LoopMarkers: Hashable, Sendable, Codable {
    /// The begin.
    public let start: Microseconds
    /// The end: the first moment that is not repeated.
    public let end: Microseconds

    /// Markers, right or wrong; a draft says which.
    public init(start: Microseconds, end: Microseconds) {
        self.start = start
        self.end = end
    }

    /// The duration of the loop, in seconds.
    public var seconds: Double { end.seconds - start.seconds }
}
