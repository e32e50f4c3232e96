public import EarshotCore

/// A kind of audio analysis: its name, its version, and a function that begins the analysis of a file.
///
/// Whoever has one of their own gives it to ``LibraryAnalysis`` beside the built-in ones; all of a run hear each file at the same
/// time, so that it is decoded once.
public protocol AudioAnalyzer: Sendable {
    /// Its name, by which results are kept: letters, digits and hyphens.
    var name: String { get }
    /// Increase it if results for the same audio change: older results are then computed again.
    var version: Int { get }

    /// Begins with a file.
    ///
    /// - Parameters:
    ///   - format: The format of every block.
    ///   - duration: The duration of the file; indefinite if it is not known.
    /// - Throws: An error if the audio cannot be analyzed; the file's other analyses continue.
    func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis
}

/// A running analysis of one file.
public protocol AudioAnalysis {
    /// Hears the next block.
    mutating func append(_ block: AudioBlock)
    /// Gives the result, as JSON, behind the last block.
    mutating func finish() throws(EarshotError) -> [UInt8]
}
