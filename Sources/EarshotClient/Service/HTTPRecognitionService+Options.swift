public import EarshotCore

extension HTTPRecognitionService {
    /// The time limits of requests, the largest size of a response, and the retry policy.
    public struct Options: Sendable {
        /// The longest time to open a connection. Default: 10 s.
        public var connectLimit = MediaTime(value: 10, timescale: 1)
        /// The longest time of one attempt at a request, with connection and response. Default: 30 s. Requests about
        /// albums have no limit.
        public var requestLimit = MediaTime(value: 30, timescale: 1)
        /// The largest size of a response, in bytes, after decompression. Default: 16 MiB.
        public var responseLimit = 16 << 20
        /// The number of attempts and the delays between them.
        public var retry = RetryPolicy.standard
        /// `true` to send the spectrogram of a recording when the service reports that landmarks alone are not
        /// conclusive. Default: `false`, and only landmarks are sent.
        ///
        /// Spectrograms improve recognition in loud noise, but spoken words can be reconstructed from them: see
        /// `Docs/privacy.md`.
        public var sendsSpectrograms = false
        /// The clock that measures limits and delays.
        public var clock = MediaClock.system
        /// Returns a random number from 0 to 1, which determines the random part of a delay between attempts.
        public var random: @Sendable () -> Double = { Double.random(in: 0...1) }

        /// Creates the default options.
        public init() {}
    }
}
