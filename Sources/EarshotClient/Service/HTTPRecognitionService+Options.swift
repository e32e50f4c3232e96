public import EarshotCore

extension HTTPRecognitionService {
    /// Time limits, the largest size of a response, and retries.
    public struct Options: Sendable {
        /// The longest time to open a connection. Default: 10 s.
        public var connectLimit = MediaTime(value: 10, timescale: 1)
        /// The longest time of one attempt at a request, with connection and response. Default: 30 s. Requests about
        /// albums have no limit.
        public var requestLimit = MediaTime(value: 30, timescale: 1)
        /// The largest answer, in bytes, unpacked: 16 MiB.
        public var responseLimit = 16 << 20
        /// The retry policy.
        public var retry = RetryPolicy.standard
        /// Permission to send the spectrogram of a recording to a service that is in doubt. Without it landmarks alone are sent.
        ///
        /// It finds more in loud noise, and words that were spoken can be made out of it: see `Docs/privacy.md`.
        public var sendsSpectrograms = false
        /// The clock that measures limits and delays.
        public var clock = MediaClock.system
        /// Draws the part of a pause that is left to chance, from 0 to 1.
        public var random: @Sendable () -> Double = { Double.random(in: 0...1) }

        /// Creates a policy with the default limits.
        public init() {}
    }
}
