import EarshotCore
import EarshotNodes
import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Publications in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLPublicationStoreTests {
    @Test("a store keeps every rule of publications", arguments: PublicationStoreRule.all)
    func rules(rule: PublicationStoreRule) async throws {
        try await TestDatabase.run { options in
            try await rule.check(try await PostgreSQLPublicationStore(PostgreSQLPool(options)))
        }
    }

    @Test("a store keeps every rule though transactions lose races", arguments: PublicationStoreRule.all)
    func conflicts(rule: PublicationStoreRule) async throws {
        try await TestDatabase.run { options in
            _ = try await PostgreSQLPublicationStore(PostgreSQLPool(options))
            try await rule.check(PostgreSQLPublicationStore(opened: PostgreSQLPool.losingRaces(options)))
        }
    }

    @Test("a bundle is replaced whole or not at all when the connection is cut", arguments: 0..<12)
    func cuts(statement: Int) async throws {
        try await TestDatabase.run { options in
            let whole = try await PostgreSQLPublicationStore(PostgreSQLPool(options))
            func bundle(_ version: Int) async throws -> Publication {
                let bundle = Publication(
                    .bundle,
                    name: "ads",
                    version: version,
                    size: 1,
                    references: 1,
                    sha256: "ab",
                    date: HistorySamples.evening
                )
                try await whole.reserve(bundle.object)
                return bundle
            }
            let (first, second) = (try await whole.replace(with: try await bundle(1)), try await bundle(2))
            let (pool, isCut) = PostgreSQLPool.cut(options, before: statement)
            let store = PostgreSQLPublicationStore(opened: pool)
            var isAcknowledged = false
            do throws(EarshotError) {
                isAcknowledged = try await store.replace(with: second) == second
            } catch {
                #expect(error.code == .storeUnavailable)
            }
            let offered = try await whole.versions(of: "ads", .bundle)
            let isKept = offered == [second]
            #expect(isKept || offered == [first])
            #expect(isKept || !isAcknowledged)
            #expect(isCut() || isAcknowledged)
            #expect(try await whole.garbage(after: 0) == [isKept ? first.object : second.object])
        }
    }
}
