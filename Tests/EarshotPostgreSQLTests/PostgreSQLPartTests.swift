import EarshotCore
import Testing

@testable import EarshotPostgreSQL

@Suite("Parts of a database in PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLPartTests {
    private static let opening: [(PostgreSQLPart, @Sendable (PostgreSQLPool) async throws -> Void)] = [
        (.accounts, { pool in _ = try await PostgreSQLAccountStore(pool) }),
        (.attempts, { pool in _ = try await PostgreSQLAttemptStore(pool) }),
        (.catalogs, { pool in _ = try await PostgreSQLManifestStore(pool) }),
        (.fingerprints, { pool in _ = try await PostgreSQLFingerprintStore(pool) }),
        (.guide, { pool in _ = try await PostgreSQLGuideStore(pool) }),
        (.jobs, { pool in _ = try await PostgreSQLJobStore(pool) }),
        (.live, { pool in _ = try await PostgreSQLLiveChannelStore(pool) }),
        (.music, { pool in _ = try await PostgreSQLMusicStore(pool) }),
        (.nodes, { pool in _ = try await PostgreSQLNodeStore(pool) }),
        (.pieces, { pool in _ = try await PostgreSQLPieceStore(pool) }),
        (.playlog, { pool in _ = try await PostgreSQLPlaylogStore(pool) }),
        (.publications, { pool in _ = try await PostgreSQLPublicationStore(pool) }),
    ]

    @Test("a part is there once its store was opened, and looking for it makes nothing")
    func parts() async throws {
        #expect(Self.opening.map(\.0) == PostgreSQLPart.allCases)
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            for (part, open) in Self.opening {
                #expect(try await !part.exists(in: pool))
                #expect(try await PostgreSQLMigrations.wereRun(in: pool) == (part != .accounts))
                try await open(pool)
                #expect(try await part.exists(in: pool))
            }
        }
    }
}
