import EarshotCore
import Foundation
import Testing

@testable import EarshotPostgreSQL

@Suite("Several PostgreSQL servers", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLFailoverTests {
    /// The host and the port of the server of all tests.
    private func shared() throws -> String { try TestServer.place(try #require(TestDatabase.address)) }

    /// Changes a database, and tells which server did it.
    private func change(_ pool: PostgreSQLPool) async throws -> String {
        let name = "failover_\(UUID().uuidString.replacingOccurrences(of: "-", with: ""))"
        let port = try await pool.write { connection in
            try connection.execute("CREATE TABLE \(name) (n bigint); DROP TABLE \(name)")
            return try connection.row("SELECT inet_server_port() AS port")?.integer("port")
        }
        return "127.0.0.1:\(try #require(port))"
    }

    /// Lets a server refuse changes, as a standby does.
    private func makeReadOnly(_ server: TestServer) async throws {
        let pool = PostgreSQLPool(PostgreSQLOptions(server.address))
        // No statement of a transaction.
        try await pool.read { connection in
            try connection.execute("ALTER SYSTEM SET default_transaction_read_only = on")
            try connection.rows("SELECT pg_reload_conf()")
        }
        while try await !isReadOnly(PostgreSQLPool(PostgreSQLOptions(server.address + "&target_session_attrs=any"))) {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func isReadOnly(_ pool: PostgreSQLPool) async throws -> Bool {
        try await pool.read { connection in
            try connection.row("SELECT current_setting('default_transaction_read_only') AS value")?.text("value")
        } == "on"
    }

    @Test("the second server is taken if the first refuses connections")
    func refused() async throws {
        let pool = PostgreSQLPool(TestServer.options(["127.0.0.1:1", try shared()]))
        #expect(try await change(pool) == shared())
    }

    @Test("the second server is taken if the first is a standby, whatever their order")
    func standby() async throws {
        try await TestServer.run { server in
            try await makeReadOnly(server)
            let (standby, primary) = (try TestServer.place(server.address), try shared())
            #expect(try await change(PostgreSQLPool(TestServer.options([standby, primary]))) == primary)
            #expect(try await change(PostgreSQLPool(TestServer.options([primary, standby]))) == primary)
            let error = await #expect(throws: EarshotError.self) {
                try await PostgreSQLPool.connected(TestServer.options([standby]))
            }
            #expect(error?.code == .storeUnavailable)
        }
    }

    @Test("a pool in use goes to the other server once its own has become a standby")
    func demoted() async throws {
        try await TestServer.run { server in
            let (first, second) = (try TestServer.place(server.address), try shared())
            let pool = PostgreSQLPool(TestServer.options([first, second]))
            #expect(try await change(pool) == first)
            try await makeReadOnly(server)
            // Sessions hear of it one after the other.
            while try await !isReadOnly(pool) { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try await change(pool) == second)
            #expect(try await change(pool) == second)
        }
    }

    @Test("a pool in use goes to the other server once its own has crashed")
    func crashed() async throws {
        try await TestServer.run { server in
            let (first, second) = (try TestServer.place(server.address), try shared())
            let pool = PostgreSQLPool(TestServer.options([first, second]))
            #expect(try await change(pool) == first)
            try await server.stop()
            #expect(try await change(pool) == second)
        }
    }

    @Test("a listener goes to the other server once its own has crashed")
    func listening() async throws {
        try await TestServer.run { server in
            let (first, second) = (try TestServer.place(server.address), try shared())
            let channel = "failover-\(UUID().uuidString)"
            let listener = PostgreSQLListener(TestServer.options([first, second]))
            var hints = listener.hints(channel).makeAsyncIterator()
            #expect(await hints.next() == .some(nil))
            try await server.stop()
            #expect(await hints.next() == .some(nil))
            let pool = PostgreSQLPool(TestServer.options([second]))
            try await pool.write { connection in try connection.notify(channel, "here") }
            #expect(await hints.next() == .some("here"))
            withExtendedLifetime(listener) {}
        }
    }
}
