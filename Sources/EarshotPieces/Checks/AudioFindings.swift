/// The results of analyzing the audio of a piece.
public struct AudioFindings: Hashable, Sendable, Codable {
    /// The detected tempo.
    public struct DetectedTempo: Hashable, Sendable, Codable {
        /// Beats a minute.
        public let beatsPerMinute: Double
        /// The confidence, from 0 to 1.
        public let confidence: Double
        /// The next likely tempo, at another metrical level; `nil` if there is none.
        public let alternative: Double?

        /// Creates a detected tempo.
        public init(beatsPerMinute: Double, confidence: Double, alternative: Double? = nil) {
            self.beatsPerMinute = beatsPerMinute
            self.confidence = confidence
            self.alternative = alternative
        }
    }

    /// The detected key.
    public struct DetectedKey: Hashable, Sendable, Codable {
        /// The key.
        public let tonality: Tonality
        /// The confidence, from 0 to 1.
        public let confidence: Double

        /// Creates a detected key.
        public init(_ tonality: Tonality, confidence: Double) {
            self.tonality = tonality
            self.confidence = confidence
        }
    }

    /// The duration of the audio.
    public let length: Microseconds
    /// The seam of the declared loop; `nil` if there is no loop, or too little audio at its ends.
    public let seam: LoopSeam?
    /// The tempo; `nil` if none was detected.
    public let tempo: DetectedTempo?
    /// The key; `nil` if none was detected.
    public let key: DetectedKey?

    /// Creates findings.
    package init(length: Microseconds, seam: LoopSeam? = nil, tempo: DetectedTempo? = nil, key: DetectedKey? = nil) {
        self.length = length
        self.seam = seam
        self.tempo = tempo
        self.key = key
    }
}
