package import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
package import EarshotSharedCatalogs
import Synchronization

/// A store that does not say whether changes are kept, as a database without its synchronous standby.
package final class UnsettledIngestStore: IngestStore {
    package enum Outcome: Sendable {
        /// The change is made, and the answer is lost.
        case made
        /// The change is made when the standby is back.
        case late
        /// The change is made at once, and answered.
        case answered
    }

    private let store: any IngestStore
    private let state: Mutex<(outcome: Outcome, late: [(SharedChange, String)])>

    package init(_ store: any IngestStore, _ outcome: Outcome) {
        self.store = store
        state = Mutex((outcome, []))
    }

    /// Makes the changes that are late, and answers from now on.
    package func settle() async throws(EarshotError) {
        let late = state.withLock { state in
            defer { state = (.answered, []) }
            return state.late
        }
        for (change, catalog) in late { _ = try await store.commit(change, to: catalog) }
    }

    /// Loses the changes that are late, as with a server that is lost, and answers from now on.
    package func lose() { state.withLock { $0 = (.answered, []) } }

    package func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int? {
        let outcome = state.withLock { state in
            if state.outcome == .late { state.late.append((change, catalog)) }
            return state.outcome
        }
        if outcome != .late {
            let generation = try await store.commit(change, to: catalog)
            if outcome == .answered || generation == nil { return generation }
        }
        throw EarshotError(.storeUnavailable, "It may still become true.")
    }

    // MARK: - What is passed on

    package func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool {
        try await store.create(catalog, limits: limits)
    }

    package func catalogs() async throws(EarshotError) -> [String] { try await store.catalogs() }
    package func stamp(of catalog: String) async throws(EarshotError) -> String? { try await store.stamp(of: catalog) }

    package func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest? {
        try await store.manifest(of: catalog)
    }

    package func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String] {
        try await store.objects(holding: names, in: catalog)
    }

    package func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError) {
        try await store.setCopies(copies, of: catalog)
    }

    package func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment] {
        try await store.dropped(of: catalog)
    }

    package func announce(_ object: String, in catalog: String) async throws(EarshotError) {
        try await store.announce(object, in: catalog)
    }

    package func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int? {
        try await store.commit(merge, to: catalog)
    }

    package func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String] {
        try await store.garbage(of: catalog, after: seconds)
    }

    package func unknown(_ objects: [String], to catalog: String) async throws(EarshotError) -> [String] {
        try await store.unknown(objects, to: catalog)
    }

    package func forget(_ objects: [String], of catalog: String) async throws(EarshotError) {
        try await store.forget(objects, of: catalog)
    }

    package func enter(_ files: [IngestFile], in catalog: String) async throws(EarshotError) -> Int {
        try await store.enter(files, in: catalog)
    }

    package func progress(of catalog: String) async throws(EarshotError) -> IngestProgress {
        try await store.progress(of: catalog)
    }

    package func failures(of catalog: String) async throws(EarshotError) -> [FailedFile] {
        try await store.failures(of: catalog)
    }

    package func claim(
        _ count: Int,
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> [IngestFile] {
        try await store.claim(count, in: catalog, for: node, seconds: seconds)
    }

    package func prolong(
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> Set<ReferenceID> {
        try await store.prolong(in: catalog, for: node, seconds: seconds)
    }

    package func fail(
        _ id: ReferenceID,
        in catalog: String,
        for node: NodeID,
        _ failure: Job.Failure
    ) async throws(EarshotError) {
        try await store.fail(id, in: catalog, for: node, failure)
    }

    package func release(in catalog: String, for node: NodeID) async throws(EarshotError) {
        try await store.release(in: catalog, for: node)
    }
}
