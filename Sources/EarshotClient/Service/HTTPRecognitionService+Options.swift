public import EarshotCore

extension HTTPRecognitionService {
    /// How long things may take, how large an answer may be, and how often a request is repeated.
    public struct Options: Sendable {
        /// How long making a connection may take: 10 s where nobody says otherwise.
        public var connectLimit = MediaTime(value: 10, timescale: 1)
        /// How long one attempt at a request may take, connection and answer included: 30 s. Questions about albums have no
        /// limit.
        public var requestLimit = MediaTime(value: 30, timescale: 1)
        /// The largest answer, in bytes, unpacked: 16 MiB.
        public var responseLimit = 16 << 20
        /// How often a request is repeated.
        public var retry = RetryPolicy.standard
        /// Permission to send the spectrogram of a recording to a service that is in doubt. Without it landmarks alone are sent.
        ///
        /// It finds more in loud noise, and words that were spoken can be made out of it: see `Docs/privacy.md`.
        public var sendsSpectrograms = false
        /// What limits and pauses are measured with.
        public var clock = MediaClock.system
        /// Draws the part of a pause that is left to chance, from 0 to 1.
        public var random: @Sendable () -> Double = { Double.random(in: 0...1) }

        /// What goes without saying.
        public init() {}
    }
}
