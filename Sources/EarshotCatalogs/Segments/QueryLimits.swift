public import EarshotCore

/// The shortest and longest query that a catalog takes.
public struct QueryLimits: Hashable, Sendable {
    let minimumMilliseconds: Int
    let maximumMilliseconds: Int

    init(minimumMilliseconds: Int, maximumMilliseconds: Int) {
        self.minimumMilliseconds = min(max(minimumMilliseconds, 0), Self.longest)
        // A query that is shorter than this has nothing in it; a limit of zero would admit no slice at all.
        self.maximumMilliseconds = min(max(maximumMilliseconds, self.minimumMilliseconds, 200), Self.longest)
    }

    /// The longest query that a catalog can be set to take: one hour, in milliseconds.
    private static let longest = 3_600_000

    private static func milliseconds(_ time: MediaTime) -> Int {
        guard time.isNumeric else { return time == .positiveInfinity ? longest : 0 }
        return Int(clamping: time.converted(toTimescale: 1000).value)
    }

    /// Limits, kept in milliseconds. What lies beyond zero or one hour is brought there, a longest query of less than
    /// 0.2 s to that.
    public init(minimum: MediaTime, maximum: MediaTime) {
        self.init(
            minimumMilliseconds: Self.milliseconds(minimum),
            maximumMilliseconds: Self.milliseconds(maximum)
        )
    }

    /// One second to fifteen.
    public static let standard = QueryLimits(minimumMilliseconds: 1_000, maximumMilliseconds: 15_000)

    /// The shortest query.
    public var minimum: MediaTime { MediaTime(value: Int64(minimumMilliseconds), timescale: 1000) }
    /// The longest query.
    public var maximum: MediaTime { MediaTime(value: Int64(maximumMilliseconds), timescale: 1000) }
}
