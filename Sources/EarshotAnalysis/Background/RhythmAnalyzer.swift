public import EarshotCore

/// Estimates the tempo and the beats of a file.
public struct RhythmAnalyzer: AudioAnalyzer {
    /// The stored result.
    public struct Result: Hashable, Sendable, Codable {
        /// The tempo; `nil` if there is none.
        public var tempo: Tempo?
        /// The times of the beats, in seconds.
        public var beats: [Double]
    }

    /// `rhythm`.
    public let name = "rhythm"
    /// The version of its results.
    public let version = 1

    /// Creates the analyzer.
    public init() {}

    /// Begins the analysis of a file.
    public func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
        Analysis()
    }

    private struct Analysis: AudioAnalysis {
        private var tracker = RhythmTracker()
        private var failure: EarshotError?

        mutating func append(_ block: AudioBlock) {
            guard failure == nil else { return }
            do throws(EarshotError) {
                try tracker.append(block)
            } catch {
                failure = error
            }
        }

        mutating func finish() throws(EarshotError) -> [UInt8] {
            if let failure { throw failure }
            let rhythm = tracker.result()
            // A beat is not known better than to a millisecond.
            let beats = rhythm.beats.map { ($0.seconds * 1_000).rounded() / 1_000 }
            return try AnalysisJSON.bytes(Result(tempo: rhythm.tempo, beats: beats))
        }
    }
}
