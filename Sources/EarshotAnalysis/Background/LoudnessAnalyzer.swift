public import EarshotCore

/// Measures the ``Loudness`` of a file.
public struct LoudnessAnalyzer: AudioAnalyzer {
    /// `loudness`.
    public let name = "loudness"
    /// The version of its results.
    public let version = 1

    /// Creates the analyzer.
    public init() {}

    /// Begins the analysis of a file.
    public func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
        Analysis(meter: try LoudnessMeter(sampleRate: format.sampleRate, channelCount: format.channelCount))
    }

    private struct Analysis: AudioAnalysis {
        let meter: LoudnessMeter

        mutating func append(_ block: AudioBlock) { meter.append(block.buffer) }
        mutating func finish() throws(EarshotError) -> [UInt8] { try AnalysisJSON.bytes(meter.loudness) }
    }
}
