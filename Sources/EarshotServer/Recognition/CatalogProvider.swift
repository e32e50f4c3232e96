package import EarshotCatalogs
import EarshotCore
import EarshotSignatures

/// The catalog of a service: a store that grows, or a file that stays as it is.
package struct CatalogProvider: Sendable {
    private enum Form: Sendable {
        case store(CatalogStore)
        case file(Catalog)
    }

    private let form: Form

    /// A store, whose references may change.
    package init(_ store: CatalogStore) {
        form = .store(store)
    }

    /// A catalog that stays as it is.
    package init(_ catalog: Catalog) {
        form = .file(catalog)
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
        case .file(let catalog): catalog
        }
    }

    /// How often it changed.
    var generation: UInt64 {
        switch form {
        case .store(let store): store.generation
        case .file: 0
        }
    }

    /// The store.
    ///
    /// - Throws: `accessDenied` for a file.
    func changeable() throws(EarshotError) -> CatalogStore {
        guard case .store(let store) = form else {
            throw EarshotError(
                .accessDenied,
                "The catalog of this service is a file that stays as it is: serve a store (.earstore) to change it."
            )
        }
        return store
    }

    /// Changes references. Blocks.
    func change<Value: Sendable>(_ body: (CatalogStore) throws -> Value) throws(EarshotError) -> Value {
        let store = try changeable()
        do {
            return try body(store)
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "The catalog could not be changed.", cause: error)
        }
    }
}
