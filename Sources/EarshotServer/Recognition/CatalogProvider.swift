package import EarshotCatalogs
import EarshotCore
import EarshotRecognition
package import EarshotSharedCatalogs
import EarshotSignatures

/// The catalog of a service: a changeable store, a catalog that nodes share, or a read-only file.
package struct CatalogProvider: Sendable {
    private enum Form: Sendable {
        case store(CatalogStore)
        case shared(SharedCatalog)
        case file(Catalog)
    }

    /// The outcome of looking for a recording.
    struct Answer: Sendable {
        /// The references that were found, best first; `nil` if there is none in the whole catalog.
        var match: Match?
        /// The part that was searched; `nil` if it was the whole catalog.
        var searched: SearchedPart?
    }

    private let form: Form
    /// Searches a shared catalog of which this node has a part; `nil` for a node that answers alone.
    var search: NodeSearch?
    /// An element for each change of a shared catalog that another node announces. Elements may get lost.
    let hints: AsyncStream<Void>

    /// Creates a provider for a store whose references may change.
    package init(_ store: CatalogStore) {
        (form, hints) = (.store(store), AsyncStream { $0.finish() })
    }

    /// Creates a provider for a catalog that nodes share, and follows its changes.
    ///
    /// - Parameter hints: An element for each change that another node announces. Elements may get lost.
    package init(_ shared: SharedCatalog, hints: AsyncStream<Void> = AsyncStream { $0.finish() }) {
        (form, self.hints) = (.shared(shared), hints)
    }

    /// Creates a provider for a read-only catalog.
    package init(_ catalog: Catalog) {
        (form, hints) = (.file(catalog), AsyncStream { $0.finish() })
    }

    /// The catalog that nodes share; `nil` if this one is not shared.
    var shared: SharedCatalog? {
        if case .shared(let shared) = form { shared } else { nil }
    }

    /// Announces to other programs that this service has locked the store.
    ///
    /// - Parameter address: The address of the service; `nil` before it has one.
    package func announceService(at address: String?) {
        if case .store(let store) = form { store.announceService(at: address) }
    }

    /// The current state of the catalog.
    package var catalog: Catalog {
        switch form {
        case .store(let store): store.catalog
        case .shared(let shared): shared.catalog
        case .file(let catalog): catalog
        }
    }

    /// A number that is greater after each change.
    var generation: UInt64 {
        switch form {
        case .store(let store): store.generation
        case .shared(let shared): UInt64(clamping: shared.generation)
        case .file: 0
        }
    }

    /// The number of references, wherever they are.
    var referenceCount: Int { shared?.referenceCount ?? catalog.count }

    /// The bytes of all segments, wherever they are.
    var byteCount: Int { shared?.byteCount ?? catalog.byteCount }

    // MARK: - Looking

    /// Looks for a recording, in one turn of a queue.
    ///
    /// - Throws: The errors of matching; `searchIncomplete` if nothing was found and a part of a shared catalog could not be searched, so that
    ///   "no match" is not known. `serviceBusy` if too much waits.
    func match(_ signature: Signature, on queue: WorkQueue) async throws(EarshotError) -> Answer {
        if let search, let shared, shared.isSpread {
            return try await queue.perform { () async throws(EarshotError) in
                let outcome = try await search.search(signature)
                let (count, all) = outcome.searched
                return Answer(
                    match: outcome.match,
                    searched: outcome.isComplete ? nil : SearchedPart(references: count, of: all)
                )
            }
        }
        return try await queue.run { () throws(EarshotError) in try match(signature) }
    }

    /// Looks for a recording in the segments that this node has. Blocks.
    private func match(_ signature: Signature) throws(EarshotError) -> Answer {
        guard let snapshot = shared?.snapshot else { return Answer(match: try catalog.match(signature)) }
        let match = try snapshot.catalog.match(signature)
        if match == nil { try Self.check(snapshot) }
        let (count, all) = snapshot.missing
        let isWhole = snapshot.isComplete || count == 0
        return Answer(match: match, searched: isWhole ? nil : SearchedPart(references: all - count, of: all))
    }

    // MARK: - References

    /// Returns the present catalog for uses that must not miss a reference. Segments that other nodes hold are fetched first.
    ///
    /// - Throws: `searchIncomplete` if segments of this node are missing, the errors of fetching segments of other nodes.
    func whole() async throws(EarshotError) -> Catalog {
        guard let shared else { return catalog }
        let snapshot = shared.snapshot
        if snapshot.isComplete { return snapshot.catalog }
        guard shared.isHeldElsewhere else {
            try Self.check(snapshot)
            return snapshot.catalog
        }
        return try await shared.whole()
    }

    /// Returns the present catalog for lists, which may lack segments that are being fetched. Segments that other nodes hold are fetched first.
    ///
    /// - Throws: The errors of fetching segments.
    func listed() async throws(EarshotError) -> Catalog {
        guard let shared else { return catalog }
        return try await shared.whole()
    }

    /// Returns a catalog that contains some references, if the whole catalog does.
    ///
    /// - Throws: The errors of fetching their segments, if other nodes hold those.
    func part(with names: [ReferenceID]) async throws(EarshotError) -> Catalog {
        guard let shared else { return catalog }
        return try await shared.part(with: names)
    }

    /// Returns `true` if there is a reference of a name.
    ///
    /// - Throws: `storeUnavailable` if other nodes hold segments and the database, which knows all names, cannot be reached.
    func contains(_ name: ReferenceID) async throws(EarshotError) -> Bool {
        guard let shared else { return catalog.contains(name) }
        return try await shared.contains(name)
    }

    private static func check(_ snapshot: SharedCatalog.Snapshot) throws(EarshotError) {
        guard !snapshot.isComplete else { return }
        let (count, all) = snapshot.missing
        throw EarshotError(
            .searchIncomplete,
            "\(count) of \(all) references of the catalog cannot be searched at the moment: try again."
        )
    }

    /// `true` if references may change.
    var isChangeable: Bool {
        if case .file = form { false } else { true }
    }

    /// Refuses changes of a file.
    ///
    /// - Throws: `accessDenied`.
    func checkChangeable() throws(EarshotError) {
        guard isChangeable else {
            throw EarshotError(
                .accessDenied,
                "The catalog of this service is a read-only file: serve a store (.earstore) to change it."
            )
        }
    }

    /// Changes the catalog in one step; when this returns the change is kept.
    ///
    /// - Parameters:
    ///   - queue: The queue in which a store of this machine is changed.
    ///   - body: Changes the catalog. It runs again if another node changed the same references, so it must change nothing else.
    /// - Throws: `accessDenied` for a file, what the body throws, and what the store throws.
    func change<Value: Sendable>(
        on queue: WorkQueue,
        _ body: @escaping @Sendable (inout Catalog) throws -> Value
    ) async throws(EarshotError) -> Value {
        try checkChangeable()
        if let shared { return try await shared.change(body) }
        guard case .store(let store) = form else {
            throw EarshotError(.internalError, "The catalog cannot be changed.")
        }
        return try await queue.run { () throws(EarshotError) in
            do {
                return try store.change(body)
            } catch let error as EarshotError {
                throw error
            } catch {
                throw EarshotError(.internalError, "The catalog could not be changed.", cause: error)
            }
        }
    }
}
