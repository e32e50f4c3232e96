package import EarshotCatalogs
import EarshotCore
package import EarshotSharedCatalogs
import EarshotSignatures

/// The catalog of a service: a store that grows, one that nodes share, or a file that stays as it is.
package struct CatalogProvider: Sendable {
    private enum Form: Sendable {
        case store(CatalogStore)
        case shared(SharedCatalog)
        case file(Catalog)
    }

    private let form: Form
    /// An element for each change of a shared catalog that another node tells of.
    let hints: AsyncStream<Void>

    /// A store, whose references may change.
    package init(_ store: CatalogStore) {
        (form, hints) = (.store(store), AsyncStream { $0.finish() })
    }

    /// A catalog that nodes share. The service follows it.
    ///
    /// - Parameter hints: An element for each change that another node tells of; they may get lost.
    package init(_ shared: SharedCatalog, hints: AsyncStream<Void> = AsyncStream { $0.finish() }) {
        (form, self.hints) = (.shared(shared), hints)
    }

    /// A catalog that stays as it is.
    package init(_ catalog: Catalog) {
        (form, hints) = (.file(catalog), AsyncStream { $0.finish() })
    }

    /// The catalog that nodes share; `nil` if this one is not shared.
    var shared: SharedCatalog? {
        if case .shared(let shared) = form { shared } else { nil }
    }

    /// Tells programs that would change the store that this service holds it.
    ///
    /// - Parameter address: The address of the service, once it has one.
    package func announceService(at address: String?) {
        if case .store(let store) = form { store.announceService(at: address) }
    }

    /// The catalog as it is now.
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

    /// Looks for a recording. Blocks.
    ///
    /// - Throws: What matching throws; `searchIncomplete` if nothing was found and a part of a shared catalog is not here: nobody can say
    ///   then that nothing matches.
    func match(_ signature: Signature) throws(EarshotError) -> Match? {
        guard let snapshot = shared?.snapshot else { return try catalog.match(signature) }
        if let match = try snapshot.catalog.match(signature) { return match }
        try Self.check(snapshot)
        return nil
    }

    /// The catalog as it is now, for those who tell what is not in it.
    ///
    /// - Throws: `searchIncomplete` if a part of a shared catalog is not here.
    func whole() throws(EarshotError) -> Catalog {
        guard let snapshot = shared?.snapshot else { return catalog }
        try Self.check(snapshot)
        return snapshot.catalog
    }

    private static func check(_ snapshot: SharedCatalog.Snapshot) throws(EarshotError) {
        guard !snapshot.isComplete else { return }
        let (count, all) = snapshot.missing
        throw EarshotError(
            .searchIncomplete,
            "\(count) of \(all) references of the catalog cannot be searched at the moment: try again."
        )
    }

    /// Says that references may change.
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
                "The catalog of this service is a file that stays as it is: serve a store (.earstore) to change it."
            )
        }
    }

    /// Changes the catalog in one step; when this returns the change is kept.
    ///
    /// - Parameters:
    ///   - queue: Where a store of this machine is changed.
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
