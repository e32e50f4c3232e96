public import EarshotCore

extension RecognitionClient {
    /// The limits of a client: concurrent operations and durations.
    public struct Policy: Hashable, Sendable {
        /// The largest number of operations that run at the same time; others wait. Default: 5, the number of results
        /// on a page.
        public var runningLimit = ResultPager.pageSize
        /// The longest time to wait for the service's response, including all retries; `nil` for no limit. Default: 60
        /// s.
        public var queryLimit: MediaTime? = MediaTime(value: 60, timescale: 1)

        /// Creates a policy with the default limits.
        public init() {}

        /// The duration that is recorded from the microphone, and the shortest duration of stream samples: 6.5 s.
        public static let recordingDuration = MediaTime(value: 6_500, timescale: 1000)
        /// The longest duration of stream samples that is used, from their beginning: 15 s.
        public static let streamDuration = MediaTime(value: 15, timescale: 1)
        /// The longest duration of a file or of file samples that is used, from the beginning: 20 s.
        public static let fileDuration = MediaTime(value: 20, timescale: 1)
        /// The largest number of matches of a recognition that is not limited to the best match: 10.
        public static let matchLimit = 10
    }
}
