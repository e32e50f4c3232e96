public import EarshotCore

extension LiveIndex {
    /// Options of a live index: retention, sizes of parts, and limits.
    public struct Options: Hashable, Sendable {
        /// The retention: 1 minute to 72 hours. Default: 6 hours.
        public var retention: MediaTime
        /// The longest recording that can be searched for: 5 to 60 s. Default: 15 s.
        public var longestQuery: MediaTime
        /// The length of a part that is indexed permanently: 1 to 30 minutes. Default: 5 minutes. The growing part is
        /// indexed again by the first lookup after each chunk.
        public var partLength: MediaTime
        /// The largest number of channels. Default: 256.
        public var channelLimit: Int
        /// The largest time by which the clock of a sender may be fast: 0 to 1 hour. Default: 1 minute.
        public var clockTolerance: MediaTime

        /// Creates options. Values outside their ranges are limited to them.
        public init(
            retention: MediaTime = MediaTime(value: 21_600, timescale: 1),
            longestQuery: MediaTime = MediaTime(value: 15, timescale: 1),
            partLength: MediaTime = MediaTime(value: 300, timescale: 1),
            channelLimit: Int = 256,
            clockTolerance: MediaTime = MediaTime(value: 60, timescale: 1)
        ) {
            func brought(_ time: MediaTime, _ low: Int64, _ high: Int64) -> MediaTime {
                let (low, high) = (MediaTime(value: low, timescale: 1), MediaTime(value: high, timescale: 1))
                return time.isNumeric ? min(max(time, low), high) : time == .positiveInfinity ? high : low
            }
            self.retention = brought(retention, 60, 259_200)
            self.longestQuery = brought(longestQuery, 5, 60)
            self.partLength = brought(partLength, 60, 1_800)
            self.channelLimit = max(1, channelLimit)
            self.clockTolerance = brought(clockTolerance, 0, 3_600)
        }
    }
}
