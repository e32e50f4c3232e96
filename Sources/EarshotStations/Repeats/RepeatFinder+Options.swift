public import EarshotCore

extension RepeatFinder {
    /// How much is kept, and what counts.
    public struct Options: Hashable, Sendable {
        /// How long what was heard is kept: one hour to 31 days, seven days where nothing is said.
        public var retention: MediaTime
        /// The shortest repeated audio: 4 to 60 s.
        public var shortest: MediaTime
        /// How far apart two stretches of one channel are at least that are compared: one minute to one day, ten minutes
        /// where nothing is said. Music repeats itself within a track, which is no repetition of the broadcast.
        public var leastDistance: MediaTime
        /// How many repeated audios are kept; of those without a name the ones heard longest ago go first.
        public var groupLimit: Int

        /// Limits; what lies beyond the ranges is brought to them.
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
