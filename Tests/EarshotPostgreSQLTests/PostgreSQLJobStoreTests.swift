import EarshotCore
import EarshotNodes
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Jobs in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLJobStoreTests {
    private static let here = PlaceID(rawValue: "here")

    private static func order(_ id: String, _ owner: String) -> JobOrder {
        JobOrder(queue: "job", id: id, kind: "add", owner: owner)
    }

    @Test("a store keeps every rule of jobs", arguments: JobStoreRule.all)
    func rules(rule: JobStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLJobStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: JobStoreRule.all)
    func conflicts(rule: JobStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLJobStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLJobStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("of several nodes one does a job at a time, and those of nodes that die are done by others")
    func nodes() async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLJobStore(PostgreSQLPool(options))
            var few = options
            few.connections = 2
            let stores = (0..<4).map { _ in PostgreSQLJobStore(opened: PostgreSQLPool(few)) }
            for number in 0..<60 {
                let order = Self.order("\(number)", "owner-\(number % 5)")
                _ = try await stores[number % 4].submit(order, limits: JobLimits())
            }
            let (begun, ended) = try await withThrowingTaskGroup(of: (begun: Int, ended: [String]).self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask { try await Self.work(store, number) }
                }
                return try await group.reduce(into: (begun: 0, ended: [String]())) {
                    $0.begun += $1.begun
                    $0.ended += $1.ended
                }
            }
            #expect(ended.sorted() == (0..<60).map { "\($0)" }.sorted())
            #expect(begun > 60)
            #expect(try await stores[0].jobs(in: "job", of: nil).allSatisfy { $0.state == .done })
        }
    }

    /// Does jobs until there are none. Each fifth time the node dies with its job, and another begins in its place.
    ///
    /// - Returns: The number of jobs that were begun, and those whose end was accepted.
    private static func work(_ store: PostgreSQLJobStore, _ number: Int) async throws -> (begun: Int, ended: [String]) {
        var (begun, ended) = (0, [String]())
        while try await store.load(of: "job", owner: nil) != JobLoad() {
            let node = NodeID(rawValue: "node-\(number)-\(begun / 5)")
            let isDying = begun % 5 == 4
            guard let job = try await store.claim(in: "job", for: node, at: here, seconds: isDying ? 0.02 : 60) else {
                continue
            }
            begun += 1
            if !isDying, try await store.finish(job, .done(nil)) != nil { ended.append(job.id) }
        }
        return (begun, ended)
    }

    @Test("an end is kept or not when the connection is cut before any of its statements", arguments: 0..<5)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLJobStore(PostgreSQLPool(options))
            _ = try await whole.submit(Self.order("a", "ann"), limits: JobLimits())
            let node = NodeID(rawValue: "node-a")
            let job = try #require(try await whole.claim(in: "job", for: node, at: Self.here, seconds: 60))
            // Statements after the connection is made: BEGIN, the lock, the end, COMMIT.
            let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
            let store = PostgreSQLJobStore(opened: pool)
            do throws(EarshotError) {
                #expect(try await store.finish(job, .done("r"))?.result == "r")
            } catch {
                #expect(error.code == .storeUnavailable)
            }
            #expect(isCut() == (statement < 4))
            // It can be said again until it is known.
            _ = try await store.finish(job, .done("r"))
            #expect(try await whole.job("a", in: "job")?.result == "r")
        }
    }

    @Test("the next job is found by the index of open jobs among many that are over")
    func index() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let store = try await PostgreSQLJobStore(pool)
            for number in 0..<3 { _ = try await store.submit(Self.order("\(number)", "ann"), limits: JobLimits()) }
            let plan = try await pool.write { connection in
                try connection.execute(
                    """
                    INSERT INTO job (queue, id, owner, is_first, round, state, created, finished, job_order)
                    SELECT 'job', 'over-' || n, 'bob', false, n, 'done', n, n, '{}' FROM generate_series(1, 10000) AS n;
                    ANALYZE job;
                    """
                )
                return try connection.rows(
                    """
                    EXPLAIN SELECT id FROM job
                    WHERE queue = $1 AND (state IN ('waiting', 'running')) AND (state = 'waiting' OR until <= clock_timestamp())
                    ORDER BY is_first DESC, round, number LIMIT 1 FOR UPDATE SKIP LOCKED
                    """,
                    "job"
                ).map { try $0.required("QUERY PLAN", $0.text) }.joined(separator: "\n")
            }
            #expect(plan.contains("job_open"))
            #expect(try await store.claim(in: "job", for: NodeID(rawValue: "a"), at: Self.here, seconds: 60)?.id == "0")
        }
    }
}
