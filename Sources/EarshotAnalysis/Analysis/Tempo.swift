/// The tempo of a recording.
public struct Tempo: Hashable, Sendable, Codable {
    /// Beats a minute, 45 to 220.
    public let beatsPerMinute: Double
    /// The confidence of the tempo, 0 to 1: the regularity of the onsets, and the distance from the next best tempo.
    public let confidence: Double
    /// The next likely tempo, at another metrical level, in beats a minute: mostly half or twice as many; `nil` if there is none. Listeners do
    /// not agree on the level either.
    public let alternative: Double?

    /// Creates a tempo.
    ///
    /// - Parameters:
    ///   - beatsPerMinute: Beats a minute.
    ///   - confidence: The confidence, 0 to 1.
    ///   - alternative: The tempo at another metrical level, in beats a minute.
    public init(beatsPerMinute: Double, confidence: Double, alternative: Double? = nil) {
        self.beatsPerMinute = beatsPerMinute
        self.confidence = confidence
        self.alternative = alternative
    }
}
