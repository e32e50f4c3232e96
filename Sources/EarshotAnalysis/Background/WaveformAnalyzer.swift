public import EarshotCore

/// Computes a ``Waveform`` of one channel and at most 2,048 buckets, enough to draw one row of a list.
public struct WaveformAnalyzer: AudioAnalyzer {
    /// `waveform`.
    public let name = "waveform"
    /// The version of its results.
    public let version = 1
    private static let mostBuckets = 2_048

    /// Creates the analyzer.
    public init() {}

    /// Begins the analysis of a file.
    public func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
        Analysis(maker: WaveformMaker(sampleRate: format.sampleRate, channelCount: format.channelCount))
    }

    private struct Analysis: AudioAnalysis {
        var maker: WaveformMaker

        mutating func append(_ block: AudioBlock) { maker.append(block.buffer) }
        mutating func finish() throws(EarshotError) -> [UInt8] {
            Array(try maker.waveform.mono.fitted(to: WaveformAnalyzer.mostBuckets).json().utf8)
        }
    }
}
