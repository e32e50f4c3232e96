public import EarshotCore

extension PlayTracker {
    /// How a stream is followed.
    public struct Options: Hashable, Sendable {
        /// How much audio is searched for at once.
        public var slice: MediaTime
        /// How often something is searched for that is not known yet.
        public var stride: MediaTime
        /// How much of the stream is looked at together. What a play was before that is remembered.
        public var window: MediaTime
        /// How often the window is looked at as a whole when nothing seems to change.
        public var interval: MediaTime
        /// How long a play may be interrupted by a break in the stream and still be one.
        public var patience: MediaTime

        /// Options.
        ///
        /// - Parameters:
        ///   - slice: 10 s unless stated.
        ///   - stride: 5 s unless stated.
        ///   - window: 2 min unless stated.
        ///   - interval: 30 s unless stated.
        ///   - patience: 2 min unless stated.
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

        /// For advertisements and jingles of five seconds and more, one behind the other: slices of 5 s, one every 2.5 s. It
        /// takes about twice the time.
        public static let spots = Options(
            slice: MediaTime(value: 5, timescale: 1),
            stride: MediaTime(value: 5, timescale: 2),
            window: MediaTime(value: 60, timescale: 1),
            interval: MediaTime(value: 15, timescale: 1)
        )
    }
}
