public import EarshotCore

/// The shortest and the longest query of a catalog.
public struct QueryLimits: Hashable, Sendable {
    let minimumMilliseconds: Int
    let maximumMilliseconds: Int

    init(minimumMilliseconds: Int, maximumMilliseconds: Int) {
        self.minimumMilliseconds = min(max(minimumMilliseconds, 0), Self.longest)
        // A shorter query has no content, and a limit of zero would allow no slice at all.
        self.maximumMilliseconds = min(max(maximumMilliseconds, self.minimumMilliseconds, 200), Self.longest)
    }

    /// The upper bound of both limits, in milliseconds: one hour.
    private static let longest = 3_600_000

    private static func milliseconds(_ time: MediaTime) -> Int {
        guard time.isNumeric else { return time == .positiveInfinity ? longest : 0 }
        return Int(clamping: time.converted(toTimescale: 1000).value)
    }

    /// Creates limits, rounded down to milliseconds. Both are clamped to 0 to 1 hour, and the longest query is at least
    /// 0.2 s and the shortest query.
    public init(minimum: MediaTime, maximum: MediaTime) {
        self.init(
            minimumMilliseconds: Self.milliseconds(minimum),
            maximumMilliseconds: Self.milliseconds(maximum)
        )
    }

    /// 1 s to 15 s.
    public static let standard = QueryLimits(minimumMilliseconds: 1_000, maximumMilliseconds: 15_000)

    /// The duration of the shortest query.
    public var minimum: MediaTime { MediaTime(value: Int64(minimumMilliseconds), timescale: 1000) }
    /// The duration of the longest query.
    public var maximum: MediaTime { MediaTime(value: Int64(maximumMilliseconds), timescale: 1000) }
}
