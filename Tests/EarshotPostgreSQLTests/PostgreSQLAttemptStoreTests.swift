import EarshotCore
import EarshotNodes
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Attempts to log in, in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLAttemptStoreTests {
    @Test("a store keeps every rule of attempts", arguments: AttemptStoreRule.all)
    func rules(rule: AttemptStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLAttemptStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: AttemptStoreRule.all)
    func conflicts(rule: AttemptStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLAttemptStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLAttemptStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("what one node counts another one refuses, and what is over is removed")
    func nodes() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            let (one, other) = (try await PostgreSQLAttemptStore(pool), try await PostgreSQLAttemptStore(pool))
            let limit = AttemptLimit(key: "a", most: 2, window: 900)
            #expect(try await one.count([limit]) != nil)
            #expect(try await other.count([limit]) != nil)
            #expect(try await one.count([limit]) == nil)
            for number in 0..<1_000 {
                _ = try await one.count([AttemptLimit(key: "\(number)", most: 1, window: 0)])
            }
            let count = try await pool.read { connection in
                try connection.row("SELECT count(*) AS count FROM attempt")?.integer("count")
            }
            #expect(try #require(count) < 1_000)
        }
    }
}
