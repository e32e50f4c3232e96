import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import Synchronization

/// A store as a worker sees it that is killed: from one call on nothing comes through.
final class DyingIngestStore: IngestStore {
    private let store: any IngestStore
    private let left: Mutex<Int>
    /// Says that the last call is done, and its answer is not heard.
    private let isDone: Bool

    init(_ store: any IngestStore, after calls: Int, isDone: Bool) {
        (self.store, self.isDone) = (store, isDone)
        left = Mutex(calls)
    }

    /// Says that the worker was killed.
    var isDead: Bool { left.withLock { $0 < 0 } }

    private func call<Value>(_ body: () async throws(EarshotError) -> Value) async throws(EarshotError) -> Value {
        let number = left.withLock { left in
            left -= 1
            return left
        }
        if number >= 0 { return try await body() }
        if number == -1, isDone { _ = try await body() }
        throw EarshotError(.cancelled, "Killed.")
    }

    func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool {
        try await call { () async throws(EarshotError) in try await store.create(catalog, limits: limits) }
    }

    func catalogs() async throws(EarshotError) -> [String] {
        try await call { () async throws(EarshotError) in try await store.catalogs() }
    }

    func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String] {
        try await call { () async throws(EarshotError) in try await store.objects(holding: names, in: catalog) }
    }

    func stamp(of catalog: String) async throws(EarshotError) -> String? {
        try await call { () async throws(EarshotError) in try await store.stamp(of: catalog) }
    }

    func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest? {
        try await call { () async throws(EarshotError) in try await store.manifest(of: catalog) }
    }

    func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError) {
        try await call { () async throws(EarshotError) in try await store.setCopies(copies, of: catalog) }
    }

    func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment] {
        try await call { () async throws(EarshotError) in try await store.dropped(of: catalog) }
    }

    func announce(_ object: String, in catalog: String) async throws(EarshotError) {
        try await call { () async throws(EarshotError) in try await store.announce(object, in: catalog) }
    }

    func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int? {
        try await call { () async throws(EarshotError) in try await store.commit(change, to: catalog) }
    }

    func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int? {
        try await call { () async throws(EarshotError) in try await store.commit(merge, to: catalog) }
    }

    func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String] {
        try await call { () async throws(EarshotError) in try await store.garbage(of: catalog, after: seconds) }
    }

    func unknown(_ objects: [String], to catalog: String) async throws(EarshotError) -> [String] {
        try await call { () async throws(EarshotError) in try await store.unknown(objects, to: catalog) }
    }

    func forget(_ objects: [String], of catalog: String) async throws(EarshotError) {
        try await call { () async throws(EarshotError) in try await store.forget(objects, of: catalog) }
    }

    func enter(_ files: [IngestFile], in catalog: String) async throws(EarshotError) -> Int {
        try await call { () async throws(EarshotError) in try await store.enter(files, in: catalog) }
    }

    func progress(of catalog: String) async throws(EarshotError) -> IngestProgress {
        try await call { () async throws(EarshotError) in try await store.progress(of: catalog) }
    }

    func failures(of catalog: String) async throws(EarshotError) -> [FailedFile] {
        try await call { () async throws(EarshotError) in try await store.failures(of: catalog) }
    }

    func claim(
        _ count: Int,
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> [IngestFile] {
        try await call { () async throws(EarshotError) in
            try await store.claim(count, in: catalog, for: node, seconds: seconds)
        }
    }

    func prolong(
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> Set<ReferenceID> {
        try await call { () async throws(EarshotError) in
            try await store.prolong(in: catalog, for: node, seconds: seconds)
        }
    }

    func fail(
        _ id: ReferenceID,
        in catalog: String,
        for node: NodeID,
        _ failure: Job.Failure
    ) async throws(EarshotError) {
        try await call { () async throws(EarshotError) in try await store.fail(id, in: catalog, for: node, failure) }
    }

    func release(in catalog: String, for node: NodeID) async throws(EarshotError) {
        try await call { () async throws(EarshotError) in try await store.release(in: catalog, for: node) }
    }
}
