public import EarshotCore

/// A kind of analysis of sound: what it is called, which version of it this is, and how one of a file begins.
///
/// Whoever has one of their own gives it to ``LibraryAnalysis`` beside the built-in ones; all of a run hear each file at the same
/// time, so that it is decoded once.
public protocol AudioAnalyzer: Sendable {
    /// Its name, by which results are kept: letters, digits and hyphens.
    var name: String { get }
    /// Goes up whenever other results are given for the same sound: older ones are made anew then.
    var version: Int { get }

    /// Begins with a file.
    ///
    /// - Parameters:
    ///   - format: What every block will be.
    ///   - duration: How long the file lasts; indefinite when that is not known.
    /// - Throws: An error for what cannot be analyzed; the file's other analyses go on.
    func begin(_ format: AudioFormat, duration: MediaTime) throws(EarshotError) -> any AudioAnalysis
}

/// An analysis of one file, under way.
public protocol AudioAnalysis {
    /// Hears the next block.
    mutating func append(_ block: AudioBlock)
    /// Gives the result, as JSON, behind the last block.
    mutating func finish() throws(EarshotError) -> [UInt8]
}
