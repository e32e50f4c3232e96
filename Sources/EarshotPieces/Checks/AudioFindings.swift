/// The results of analyzing the audio of a piece.
public struct AudioFindings: Hashable, Sendable, Codable {
    /// The tempo of its beats.
    public struct DetectedTempo: Hashable, Sendable, Codable {
        /// Beats a minute.
        public let beatsPerMinute: Double
        /// The confidence, 0 to 1.
        public let confidence: Double
        /// The tempo at another metrical level that comes next.
        public let alternative: Double?

        /// A tempo that was heard.
        public init(beatsPerMinute: Double, confidence: Double, alternative: Double? = nil) {
            self.beatsPerMinute = beatsPerMinute
            self.confidence = confidence
            self.alternative = alternative
        }
    }

    /// The key.
    public struct DetectedKey: Hashable, Sendable, Codable {
        /// The key.
        public let tonality: Tonality
        /// The confidence, 0 to 1.
        public let confidence: Double

        /// A key that was heard.
        public init(_ tonality: Tonality, confidence: Double) {
            self.tonality = tonality
            self.confidence = confidence
        }
    }

    /// Its duration.
    public let length: Microseconds
    /// The seam of the loop that was declared; `nil` if there is none, or too little of it.
    public let seam: LoopSeam?
    /// The tempo; `nil` if none is heard.
    public let tempo: DetectedTempo?
    /// The key; `nil` if none is heard.
    public let key: DetectedKey?

    /// Facts.
    package init(length: Microseconds, seam: LoopSeam? = nil, tempo: DetectedTempo? = nil, key: DetectedKey? = nil) {
        self.length = length
        self.seam = seam
        self.tempo = tempo
        self.key = key
    }
}
