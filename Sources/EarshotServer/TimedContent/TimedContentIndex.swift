import EarshotCatalogs
import EarshotCore
import Synchronization

/// Lists the references of the catalog that have timed content, in the order in which they were added.
final class TimedContentIndex: Sendable {
    /// The key of the lookup. The catalog caches, for each of its files, the references that have it.
    private enum Key: MediaItemDirectoryKey {
        case timed

        static func keys(of item: MediaItem) -> [Key] {
            item[.timeline] != nil || !item.timeRanges.isEmpty ? [.timed] : []
        }
    }

    private let catalog: CatalogProvider
    private let known = Mutex<(generation: UInt64, references: [ContentSummary])?>(nil)

    init(_ catalog: CatalogProvider) { self.catalog = catalog }

    /// Returns the references.
    ///
    /// - Throws: `catalogInvalid` if a reference is damaged; errors of the queue, and of fetching segments that other nodes hold.
    func references(on queue: WorkQueue) async throws(EarshotError) -> [ContentSummary] {
        // Read before the catalog: a change in between is then noticed at the next call.
        let generation = catalog.generation
        if let known = known.withLock({ $0 }), known.generation == generation { return known.references }
        let catalog = try await catalog.listed()
        let found = try await queue.run { () throws(EarshotError) in
            try catalog.references(with: [Key.timed], orNamed: "")
                .filter { $0.items.contains { !Key.keys(of: $0).isEmpty } }
                .map { ContentSummary($0) }
        }
        known.withLock { $0 = (generation, found) }
        return found
    }

    /// Returns a reference, with timed content or not; `nil` if there is none of this name.
    ///
    /// - Throws: As ``references(on:)``.
    func reference(_ id: ReferenceID, on queue: WorkQueue) async throws(EarshotError) -> ReferenceSummary? {
        let catalog = try await catalog.part(with: [id])
        return try await queue.run { () throws(EarshotError) in
            try catalog.references(with: [Key](), orNamed: id).last { $0.id == id }
        }
    }
}
