import EarshotCatalogs
import EarshotCore
import EarshotSharedCatalogs
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Manifests in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLManifestStoreTests {
    @Test("a store keeps every rule of manifests", arguments: ManifestStoreRule.all)
    func rules(rule: ManifestStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLManifestStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: ManifestStoreRule.all)
    func conflicts(rule: ManifestStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLManifestStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLManifestStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("a change is kept whole or not at all when the connection is cut", arguments: 0..<12)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLManifestStore(PostgreSQLPool(options))
            _ = try await whole.create("music", limits: .standard)
            #expect(try await ManifestStoreRule.add("s1", ["a", "b"], to: whole) == 2)
            try await whole.announce("s2", in: "music")
            let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
            let store = PostgreSQLManifestStore(opened: pool)
            let change = SharedChange(removed: ["a"], addition: ManifestStoreRule.addition("s2", ["a", "c"]))
            var isAcknowledged = false
            do throws(EarshotError) {
                isAcknowledged = try await store.commit(change, to: "music") == 3
            } catch {
                #expect(error.code == .storeUnavailable)
            }
            let manifest = try #require(try await whole.manifest(of: "music"))
            let isKept = manifest.generation == 3
            #expect(manifest.segments.map(\.object) == (isKept ? ["s1", "s2"] : ["s1"]))
            #expect(manifest.segments[0].removed == (isKept ? [0] : []))
            #expect(isKept || !isAcknowledged)
            #expect(isCut() || isAcknowledged)
            // The names are those of the segments.
            let names = SharedChange(removed: isKept ? ["a", "b", "c"] : ["a", "b"])
            #expect(try await whole.commit(names, to: "music") != nil)
            #expect(try await whole.manifest(of: "music")?.count == 0)
        }
    }
}
