/// A store of analysis results in memory.
package actor MemoryAnalysisStore: AnalysisStore {
    private struct Key: Hashable {
        let item: String
        let analyzer: String
    }

    private var records: [Key: AnalysisRecord] = [:]

    /// Creates an empty store.
    public init() {}

    /// Returns the newest record of an item by an analyzer; `nil` if there is none.
    package func record(of item: String, by analyzer: String) -> AnalysisRecord? {
        records[Key(item: item, analyzer: analyzer)]
    }

    /// Returns all records of the given items, in no order.
    package func records(of items: [String]) -> [AnalysisRecord] {
        let wanted = Set(items)
        return records.values.filter { wanted.contains($0.item) }
    }

    /// Stores records, replacing those of the same item and analyzer.
    package func keep(_ records: [AnalysisRecord]) {
        for record in records { self.records[Key(item: record.item, analyzer: record.analyzer)] = record }
    }

    /// Deletes all records of the given items.
    package func forget(_ items: [String]) {
        let gone = Set(items)
        records = records.filter { !gone.contains($0.key.item) }
    }

    /// Returns the identifiers of all items with records, sorted.
    package func items() -> [String] { Set(records.keys.map(\.item)).sorted() }
}
