public import EarshotCore

/// Stores the results of analyses.
public protocol AnalysisStore: Sendable {
    /// The record of an item, an analyzer's newest; `nil` if there is none.
    func record(of item: String, by analyzer: String) async throws(EarshotError) -> AnalysisRecord?
    /// All records of items, in no order.
    func records(of items: [String]) async throws(EarshotError) -> [AnalysisRecord]
    /// Keeps records, each in the place of the one before it, all or none.
    func keep(_ records: [AnalysisRecord]) async throws(EarshotError)
    /// Forgets everything of items that are not there any more.
    func forget(_ items: [String]) async throws(EarshotError)
    /// The items of which there are records, in order.
    func items() async throws(EarshotError) -> [String]
}
