/// Keeps results in memory.
package actor MemoryAnalysisStore: AnalysisStore {
    private struct Key: Hashable {
        let item: String
        let analyzer: String
    }

    private var records: [Key: AnalysisRecord] = [:]

    /// Creates empty totals.
    public init() {}

    /// The newest record of an item by an analyzer.
    package func record(of item: String, by analyzer: String) -> AnalysisRecord? {
        records[Key(item: item, analyzer: analyzer)]
    }

    /// All records of items, in no order.
    package func records(of items: [String]) -> [AnalysisRecord] {
        let wanted = Set(items)
        return records.values.filter { wanted.contains($0.item) }
    }

    /// Keeps records in the place of older ones.
    package func keep(_ records: [AnalysisRecord]) {
        for record in records { self.records[Key(item: record.item, analyzer: record.analyzer)] = record }
    }

    /// Forgets what there is of items.
    package func forget(_ items: [String]) {
        let gone = Set(items)
        records = records.filter { !gone.contains($0.key.item) }
    }

    /// The items of which there are records, in order.
    package func items() -> [String] { Set(records.keys.map(\.item)).sorted() }
}
