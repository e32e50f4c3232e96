public import EarshotCore

/// Stores the results of analyses.
public protocol AnalysisStore: Sendable {
    /// Returns the newest record of an item by an analyzer; `nil` if there is none.
    func record(of item: String, by analyzer: String) async throws(EarshotError) -> AnalysisRecord?
    /// Returns all records of the given items, in no order.
    func records(of items: [String]) async throws(EarshotError) -> [AnalysisRecord]
    /// Stores records, replacing those of the same item and analyzer, in one transaction.
    func keep(_ records: [AnalysisRecord]) async throws(EarshotError)
    /// Deletes all records of the given items.
    func forget(_ items: [String]) async throws(EarshotError)
    /// Returns the identifiers of all items with records, sorted.
    func items() async throws(EarshotError) -> [String]
}
