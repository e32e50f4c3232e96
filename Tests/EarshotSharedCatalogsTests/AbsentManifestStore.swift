import EarshotCatalogs
import EarshotCore
import Synchronization

@testable import EarshotSharedCatalogs

/// A store of manifests that can be away.
final class AbsentManifestStore: ManifestStore {
    private let store: MemoryManifestStore
    /// Says that nothing can be reached.
    let isAway = Mutex(false)

    init(_ store: MemoryManifestStore) { self.store = store }

    private func reached() throws(EarshotError) -> MemoryManifestStore {
        guard !isAway.withLock({ $0 }) else { throw EarshotError(.storeUnavailable, "The database is away.") }
        return store
    }

    func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool {
        try await reached().create(catalog, limits: limits)
    }

    func catalogs() async throws(EarshotError) -> [String] { try await reached().catalogs() }
    func stamp(of catalog: String) async throws(EarshotError) -> String? { try await reached().stamp(of: catalog) }

    func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest? {
        try await reached().manifest(of: catalog)
    }

    func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String] {
        try await reached().objects(holding: names, in: catalog)
    }

    func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError) {
        try await reached().setCopies(copies, of: catalog)
    }

    func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment] {
        try await reached().dropped(of: catalog)
    }

    func announce(_ object: String, in catalog: String) async throws(EarshotError) {
        try await reached().announce(object, in: catalog)
    }

    func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int? {
        try await reached().commit(change, to: catalog)
    }

    func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int? {
        try await reached().commit(merge, to: catalog)
    }

    func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String] {
        try await reached().garbage(of: catalog, after: seconds)
    }

    func unknown(_ objects: [String], to catalog: String) async throws(EarshotError) -> [String] {
        try await reached().unknown(objects, to: catalog)
    }

    func forget(_ objects: [String], of catalog: String) async throws(EarshotError) {
        try await reached().forget(objects, of: catalog)
    }
}
