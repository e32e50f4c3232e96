/// What came of an analysis of one item.
public struct AnalysisRecord: Hashable, Sendable, Codable {
    /// What came of it.
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
    /// What the item's file was then, such as its size and time: a result is of no use for another.
    public let stamp: String
    /// What came of it.
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
