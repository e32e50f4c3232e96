public import EarshotCore

/// Estimates the ``MusicalKey`` of a file; the JSON result is `null` if there is none.
public struct KeyAnalyzer: AudioAnalyzer {
    /// `key`.
    public let name = "key"
    /// The version of its results.
    public let version = 1

    /// Creates the analyzer.
    public init() {}

    /// Begins the analysis of a file.
    public func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis {
        Analysis()
    }

    private struct Analysis: AudioAnalysis {
        private var estimator = KeyEstimator()
        private var failure: EarshotError?

        mutating func append(_ block: AudioBlock) {
            guard failure == nil else { return }
            do throws(EarshotError) {
                try estimator.append(block)
            } catch {
                failure = error
            }
        }

        mutating func finish() throws(EarshotError) -> [UInt8] {
            if let failure { throw failure }
            return try AnalysisJSON.bytes(estimator.result())
        }
    }
}
