public import EarshotCore

extension PlayTracker {
    /// The settings of a play tracker.
    public struct Options: Hashable, Sendable {
        /// The duration of audio in one search.
        public var slice: MediaTime
        /// The interval between searches for unknown audio.
        public var stride: MediaTime
        /// The duration of the stream that is analyzed together. The earlier part of a play is remembered.
        public var window: MediaTime
        /// The interval between analyses of the whole window while nothing seems to change.
        public var interval: MediaTime
        /// The longest break in the stream after which a play can continue as the same play.
        public var patience: MediaTime

        /// Creates options.
        ///
        /// - Parameters:
        ///   - slice: The duration of audio in one search. Default: 10 s.
        ///   - stride: The interval between searches for unknown audio. Default: 5 s.
        ///   - window: The duration that is analyzed together. Default: 2 min.
        ///   - interval: The interval between analyses of the window. Default: 30 s.
        ///   - patience: The longest break within a play. Default: 2 min.
        public init(
            slice: MediaTime = MediaTime(value: 10, timescale: 1),
            stride: MediaTime = MediaTime(value: 5, timescale: 1),
            window: MediaTime = MediaTime(value: 120, timescale: 1),
            interval: MediaTime = MediaTime(value: 30, timescale: 1),
            patience: MediaTime = MediaTime(value: 120, timescale: 1)
        ) {
            self.slice = slice
            self.stride = stride
            self.window = window
            self.interval = interval
            self.patience = patience
        }

        /// Options for consecutive advertisements and jingles of 5 s or more: slices of 5 s, one every 2.5 s. They take
        /// about twice the time.
        public static let spots = Options(
            slice: MediaTime(value: 5, timescale: 1),
            stride: MediaTime(value: 5, timescale: 2),
            window: MediaTime(value: 60, timescale: 1),
            interval: MediaTime(value: 15, timescale: 1)
        )
    }
}
