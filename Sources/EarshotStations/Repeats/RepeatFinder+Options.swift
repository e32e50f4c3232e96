public import EarshotCore

extension RepeatFinder {
    /// The retention and the criteria.
    public struct Options: Hashable, Sendable {
        /// The retention: 1 hour to 31 days. Default: 7 days.
        public var retention: MediaTime
        /// The shortest repeated audio: 4 to 60 s. Default: 4 s.
        public var shortest: MediaTime
        /// The shortest distance between two intervals of one channel that are compared: 1 minute to 1 day. Default: 10
        /// minutes. Music repeats within a track, which is not a repetition of the broadcast.
        public var leastDistance: MediaTime
        /// The largest number of repeats: 1 to 100,000. Default: 2,000. Unnamed repeats that were heard longest ago are
        /// dropped first.
        public var groupLimit: Int

        /// Creates options. Values outside their ranges are limited to them.
        public init(
            retention: MediaTime = MediaTime(value: 604_800, timescale: 1),
            shortest: MediaTime = MediaTime(value: 4, timescale: 1),
            leastDistance: MediaTime = MediaTime(value: 600, timescale: 1),
            groupLimit: Int = 2_000
        ) {
            func brought(_ time: MediaTime, _ low: Int64, _ high: Int64) -> MediaTime {
                let (low, high) = (MediaTime(value: low, timescale: 1), MediaTime(value: high, timescale: 1))
                return time.isNumeric ? min(max(time, low), high) : time == .positiveInfinity ? high : low
            }
            self.retention = brought(retention, 3_600, 2_678_400)
            self.shortest = brought(shortest, 4, 60)
            self.leastDistance = brought(leastDistance, 60, 86_400)
            self.groupLimit = min(max(1, groupLimit), 100_000)
        }
    }
}
