/// The result of one analysis of one item.
public struct AnalysisRecord: Hashable, Sendable, Codable {
    /// The outcome of an analysis.
    public enum Outcome: Hashable, Sendable, Codable {
        /// The result, as JSON.
        case result([UInt8])
        /// The analysis failed: the code and the message of the error.
        case failure(code: String, message: String)
    }

    /// The identifier of the item.
    public let item: String
    /// The name of the analyzer: ``AudioAnalyzer/name``.
    public let analyzer: String
    /// The version of the analyzer: ``AudioAnalyzer/version``.
    public let version: Int
    /// The stamp of the item's file, such as its size and time: the result is valid only for this state.
    public let stamp: String
    /// The outcome.
    public let outcome: Outcome

    /// Creates a record.
    public init(item: String, analyzer: String, version: Int, stamp: String, outcome: Outcome) {
        self.item = item
        self.analyzer = analyzer
        self.version = version
        self.stamp = stamp
        self.outcome = outcome
    }
}
