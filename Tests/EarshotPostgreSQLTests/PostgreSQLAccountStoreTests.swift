import EarshotCore
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Accounts in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLAccountStoreTests {
    @Test("a store keeps every rule of accounts", arguments: AccountStoreRule.all)
    func rules(rule: AccountStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLAccountStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: AccountStoreRule.all)
    func conflicts(rule: AccountStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLAccountStore(PostgreSQLPool(options))
            let pool = PostgreSQLPool.losingRaces(options)
            try await rule.check(try await PostgreSQLAccountStore(pool))
        }
    }

    @Test("a change is whole or absent when its connection is cut before any of its statements", arguments: 0..<6)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLAccountStore(PostgreSQLPool(options))
            try await whole.put(AccountStoreRule.client("1"))
            try await whole.put(AccountStoreRule.user("a"))
            // Statements are counted from the first one after the connection is made: BEGIN, update, insert, delete, COMMIT.
            let pool = PostgreSQLPool.cut(options, before: statement).pool
            let store = PostgreSQLAccountStore(opened: pool)
            let result = await Result {
                try await store.addHistory(
                    of: "a",
                    date: AccountStoreRule.now,
                    kind: "file",
                    match: AccountStoreRule.match,
                    limit: 10
                )
            }
            let count = try await whole.historyCount(of: "a")
            switch result {
            case .success: #expect(count == 1)
            case .failure(let error):
                #expect((error as? EarshotError)?.code == .storeUnavailable)
                // Cut while it was kept, which it may have been.
                #expect(count <= 1)
            }
            // The pool has a connection again.
            #expect(try await store.client("1") != nil)
        }
    }

    @Test("two nodes that start at the same moment make the tables once")
    func starts() async throws {
        try await TestDatabase.run { options in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { _ = try await PostgreSQLAccountStore(PostgreSQLPool(options)) }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("a database of a newer version is refused")
    func newer() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            _ = try await PostgreSQLAccountStore(pool)
            try await pool.write { connection in try connection.execute("UPDATE earshot_migration SET step = 99") }
            let error = await #expect(throws: EarshotError.self) { try await PostgreSQLAccountStore(pool) }
            #expect(error?.code == .storeDamaged)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
