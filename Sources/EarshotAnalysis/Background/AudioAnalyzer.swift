public import EarshotCore

/// A kind of audio analysis that ``LibraryAnalysis`` runs over files, such as tempo or loudness.
///
/// Pass an analyzer of your own to ``LibraryAnalysis`` beside the built-in ones. All analyzers of a run get each file at the same
/// time, so that it is decoded once.
public protocol AudioAnalyzer: Sendable {
    /// The name under which results are stored: letters, digits and hyphens.
    var name: String { get }
    /// The version of the results. Increase it if results for the same audio change: older results are then computed again.
    var version: Int { get }

    /// Begins the analysis of a file.
    ///
    /// - Parameters:
    ///   - format: The format of every block.
    ///   - duration: The duration of the file; indefinite if it is not known.
    /// - Throws: An error if the audio cannot be analyzed; the file's other analyses continue.
    func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis
}

/// A running analysis of one file.
public protocol AudioAnalysis {
    /// Processes the next block of audio.
    mutating func append(_ block: AudioBlock)
    /// Returns the result as JSON, after the last block.
    mutating func finish() throws(EarshotError) -> [UInt8]
}
