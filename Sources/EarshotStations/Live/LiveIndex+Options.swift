public import EarshotCore

extension LiveIndex {
    /// How much is kept, and how it is cut.
    public struct Options: Hashable, Sendable {
        /// How long what was broadcast is kept: one minute to 72 hours, six hours where nothing is said.
        public var retention: MediaTime
        /// The longest recording that is looked up: 5 to 60 s, 15 s where nothing is said.
        public var longestQuery: MediaTime
        /// How long a part is until it is indexed for good: 1 to 30 minutes. The part that still grows is indexed again by
        /// the first lookup behind each piece.
        public var partLength: MediaTime
        /// The largest number of channels.
        public var channelLimit: Int
        /// How far the clock of a sender may be ahead: 0 to one hour.
        public var clockTolerance: MediaTime

        /// Limits; what lies beyond the ranges is brought to them.
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
