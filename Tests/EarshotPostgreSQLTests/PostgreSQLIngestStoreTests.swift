import EarshotCatalogs
import EarshotCore
import EarshotNodes
import EarshotSharedCatalogs
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Files for shared catalogs in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLIngestStoreTests {
    @Test("a store keeps every rule of files", arguments: IngestStoreRule.all)
    func rules(rule: IngestStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLManifestStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule of files though transactions lose races", arguments: IngestStoreRule.all)
    func conflicts(rule: IngestStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLManifestStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLManifestStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("references come with the end of their files or not at all when the connection is cut", arguments: 0..<16)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLManifestStore(PostgreSQLPool(options))
            _ = try await whole.create("music", limits: .standard)
            let names: [ReferenceID] = ["a", "b", "c"]
            try await whole.enter(IngestStoreRule.files(names), in: "music")
            let node = IngestStoreRule.a
            #expect(try await whole.claim(2, in: "music", for: node, seconds: 60).count == 2)
            try await whole.announce("s1", in: "music")
            let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
            let store = PostgreSQLManifestStore(opened: pool)
            let change = SharedChange(addition: ManifestStoreRule.addition("s1", ["a", "b"]), holder: node)
            var isAcknowledged = false
            do throws(EarshotError) {
                isAcknowledged = try await store.commit(change, to: "music") == 2
            } catch {
                #expect(error.code == .storeUnavailable)
            }
            let count = try #require(try await whole.manifest(of: "music")).count
            #expect(count == 2 || count == 0 && !isAcknowledged)
            #expect(isCut() || isAcknowledged)
            let progress = try await whole.progress(of: "music")
            #expect(progress.added == count && progress.left == 3 - count)
            #expect(try await whole.prolong(in: "music", for: node, seconds: 60) == (count == 2 ? [] : ["a", "b"]))
            // It can be said again until it is known.
            #expect(try await whole.commit(change, to: "music") == (count == 2 ? nil : 2))
            #expect(try await whole.manifest(of: "music")?.count == 2)
        }
    }

    @Test("files are entered all or not at all when the connection is cut", arguments: 0..<8)
    func entering(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLManifestStore(PostgreSQLPool(options))
            _ = try await whole.create("music", limits: .standard)
            let names = (0..<6_000).map { ReferenceID("file-\($0)") }
            let (pool, _) = PostgreSQLPool.cut(options, before: statement)
            do throws(EarshotError) {
                try await PostgreSQLManifestStore(opened: pool).enter(IngestStoreRule.files(names), in: "music")
            } catch {
                #expect(error.code == .storeUnavailable)
                #expect([0, 6_000].contains(try await whole.progress(of: "music").entered))
            }
            try await whole.enter(IngestStoreRule.files(names), in: "music")
            #expect(try await whole.progress(of: "music").entered == 6_000)
            #expect(try await whole.claim(7_000, in: "music", for: IngestStoreRule.a, seconds: 60).map(\.id) == names)
        }
    }

    @Test("a database of before gets the tables, and its catalogs stay")
    func renewing() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let before = try await PostgreSQLManifestStore(pool)
            _ = try await before.create("music", limits: .standard)
            #expect(try await ManifestStoreRule.add("s1", ["a"], to: before) == 2)
            try await pool.write { connection in
                try connection.execute(
                    """
                    DROP TABLE catalog_file, catalog_ingest;
                    ALTER TABLE catalog DROP COLUMN copies;
                    UPDATE earshot_migration SET step = 1 WHERE part = 'catalogs';
                    """
                )
            }
            let store = try await PostgreSQLManifestStore(pool)
            try await store.enter(IngestStoreRule.files(["a", "b"]), in: "music")
            #expect(try await store.claim(2, in: "music", for: IngestStoreRule.a, seconds: 60).map(\.id) == ["b"])
        }
    }

    @Test("the next files are found by the index among many that failed")
    func index() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLManifestStore(pool)
            _ = try await store.create("music", limits: .standard)
            let plan = try await pool.write { connection in
                try connection.execute(
                    """
                    INSERT INTO catalog_file (catalog, name, path, items, failure)
                    SELECT 'music', 'failed-' || n, '/', '[]', '{}' FROM generate_series(1, 10000) AS n;
                    INSERT INTO catalog_file (catalog, name, path, items)
                    SELECT 'music', 'file-' || n, '/', '[]' FROM generate_series(1, 10000) AS n;
                    ANALYZE catalog_file;
                    """
                )
                return try connection.rows(
                    """
                    EXPLAIN SELECT name FROM catalog_file
                    WHERE catalog = $1 AND failure IS NULL AND (until IS NULL OR until <= clock_timestamp())
                    ORDER BY number LIMIT $2 FOR UPDATE SKIP LOCKED
                    """,
                    "music",
                    8
                ).map { try $0.required("QUERY PLAN", $0.text) }.joined(separator: "\n")
            }
            #expect(plan.contains("catalog_file_open"))
        }
    }
}
