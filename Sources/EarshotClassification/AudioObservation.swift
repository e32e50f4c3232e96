public import EarshotCore

/// Something heard in a running stream.
public struct AudioObservation: Hashable, Sendable {
    /// The content of an observation.
    public enum Content: Hashable, Sendable {
        /// The level of the last second in dBFS, -120 to 0: its root mean square over all channels, where a square wave of
        /// full scale is 0 and a sine of full scale -3.01. Once a second.
        case level(Double)
        /// Nothing was heard for a second, whose level in dBFS is given; again every second while that goes on.
        case silent(level: Double, isEntry: Bool)
        /// Silence has ended, with sound of this level in dBFS.
        case audible(level: Double)
        /// The share of silent frames of 10 ms in the last 10 s, 0 to 1; at most once a second, when it has changed by 0.01
        /// or more.
        case silentRatio(Double)
        /// The classification of the last 3 s; once a second.
        case classification(AudioClassification)
        /// The content has changed. The score is 0 to 1, above ``TransitionDetector/threshold``; the instant is when it
        /// changed, up to about two seconds before the time of the observation.
        case transition(score: Double, at: MediaTime)
    }

    /// The time of the observation: from the first sample of the stream to the end of what it is about.
    public let time: MediaTime
    /// The observation itself.
    public let content: Content

    /// Creates an observation.
    public init(time: MediaTime, content: Content) {
        self.time = time
        self.content = content
    }
}
