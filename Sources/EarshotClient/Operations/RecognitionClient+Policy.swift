public import EarshotCore

extension RecognitionClient {
    /// How much a client does at the same time, and how long things may take.
    public struct Policy: Hashable, Sendable {
        /// How many operations are worked on at the same time; the others wait. Five where nobody says otherwise, as many as a
        /// page has results.
        public var runningLimit = ResultPager.pageSize
        /// How long the service may take for an answer, repeated requests included: 60 s. Nothing for any time.
        public var queryLimit: MediaTime? = MediaTime(value: 60, timescale: 1)

        /// What goes without saying.
        public init() {}

        /// How much of the microphone is recorded, and how much of a stream is needed: 6.5 s.
        public static let recordingDuration = MediaTime(value: 6_500, timescale: 1000)
        /// How much of the samples of a stream is used: 15 s.
        public static let streamDuration = MediaTime(value: 15, timescale: 1)
        /// How much of a file is used, from its beginning: 20 s.
        public static let fileDuration = MediaTime(value: 20, timescale: 1)
        /// How many matches a recognition has at most, where more than the best is wanted: ten.
        public static let matchLimit = 10
    }
}
