/// The result of one analysis of one item.
public struct AnalysisRecord: Hashable, Sendable, Codable {
    /// The outcome of an analysis.
    public enum Outcome: Hashable, Sendable, Codable {
        /// The result, as JSON.
        case result([UInt8])
        /// It failed: the code of the error, and what it says.
        case failure(code: String, message: String)
    }

    /// The item.
    public let item: String
    /// The analyzer's name.
    public let analyzer: String
    /// Its version.
    public let version: Int
    /// The stamp of the item's file, such as its size and time: the result is valid only for this state.
    public let stamp: String
    /// The outcome.
    public let outcome: Outcome

    /// A record.
    public init(item: String, analyzer: String, version: Int, stamp: String, outcome: Outcome) {
        self.item = item
        self.analyzer = analyzer
        self.version = version
        self.stamp = stamp
        self.outcome = outcome
    }
}
