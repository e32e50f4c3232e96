public import EarshotCore

/// What keeps the results of analyses.
public protocol AnalysisStore: Sendable {
    /// The record of an item, an analyser's newest; nothing when there is none.
    func record(of item: String, by analyser: String) async throws(EarshotError) -> AnalysisRecord?
    /// Keeps records, each in the place of the one before it, all or none.
    func keep(_ records: [AnalysisRecord]) async throws(EarshotError)
    /// Forgets everything of items that are not there any more.
    func forget(_ items: [String]) async throws(EarshotError)
    /// The items of which there are records, in order.
    func items() async throws(EarshotError) -> [String]
}

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
    /// The analyser's name.
    public let analyser: String
    /// Its version.
    public let version: Int
    /// What the item's file was then, such as its size and time: a result is of no use for another.
    public let stamp: String
    /// What came of it.
    public let outcome: Outcome

    /// A record.
    public init(item: String, analyser: String, version: Int, stamp: String, outcome: Outcome) {
        self.item = item
        self.analyser = analyser
        self.version = version
        self.stamp = stamp
        self.outcome = outcome
    }
}

/// Keeps results in memory.
public actor MemoryAnalysisStore: AnalysisStore {
    private struct Key: Hashable {
        let item: String
        let analyser: String
    }

    private var records: [Key: AnalysisRecord] = [:]

    /// Nothing yet.
    public init() {}

    public func record(of item: String, by analyser: String) -> AnalysisRecord? {
        records[Key(item: item, analyser: analyser)]
    }

    public func keep(_ records: [AnalysisRecord]) {
        for record in records { self.records[Key(item: record.item, analyser: record.analyser)] = record }
    }

    public func forget(_ items: [String]) {
        let gone = Set(items)
        records = records.filter { !gone.contains($0.key.item) }
    }

    public func items() -> [String] { Set(records.keys.map(\.item)).sorted() }
}
