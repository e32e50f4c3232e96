import EarshotCatalogs
import EarshotCore
import Synchronization

/// The references of the catalog that have timed content, in order of adding.
final class TimedContentIndex: Sendable {
    /// The key of the lookup. The catalog remembers for each of its files which references have it.
    private enum Key: MediaItemDirectoryKey {
        case timed

        static func keys(of item: MediaItem) -> [Key] {
            item[.timeline] != nil || !item.timeRanges.isEmpty ? [.timed] : []
        }
    }

    private let catalog: CatalogProvider
    private let known = Mutex<(generation: UInt64, references: [ContentSummary])?>(nil)

    init(_ catalog: CatalogProvider) { self.catalog = catalog }

    /// The references.
    ///
    /// - Throws: `catalogInvalid` when one of them is damaged; what the queue throws, and what the catalog throws whose segments other nodes
    ///   hold.
    func references(on queue: WorkQueue) async throws(EarshotError) -> [ContentSummary] {
        // A change between the two lines is seen at the next call.
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

    /// A reference of any content; `nil` if there is none of this name.
    ///
    /// - Throws: As ``references(on:)``.
    func reference(_ id: ReferenceID, on queue: WorkQueue) async throws(EarshotError) -> ReferenceSummary? {
        let catalog = try await catalog.part(with: [id])
        return try await queue.run { () throws(EarshotError) in
            try catalog.references(with: [Key](), orNamed: id).last { $0.id == id }
        }
    }
}
