import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Statements that a server does not end", .timeLimit(.minutes(1)))
struct UnansweredStatementTests {
    private let clock = ManualClock()

    /// Runs a test with a pool of one connection, which has been used.
    private func run(_ body: (ScriptedServer, PostgreSQLPool) async throws -> Void) async throws {
        let server = try ScriptedServer { $0.hasPrefix("SILENT") || $0 == "COMMIT" }
        defer { server.stop() }
        let pool = PostgreSQLPool(server.options, clock: clock.clock, interference: nil)
        try await pool.read { connection in try connection.execute("FIRST") }
        try await body(server, pool)
    }

    private func wait(for statement: String, _ server: ScriptedServer) async {
        while !server.statements.contains(statement) { await Task.yield() }
    }

    @Test("the connection of a canceled task is replaced if the server does not end its statement")
    func cancelled() async throws {
        try await run { server, pool in
            let task = Task { try await pool.read { connection in try connection.execute("SILENT") } }
            await wait(for: "SILENT", server)
            task.cancel()
            clock.advance(by: PostgreSQLConnection.grace)
            let error = await #expect(throws: EarshotError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            while server.cancellations == 0 { await Task.yield() }
            try await pool.read { connection in try connection.execute("NEXT") }
            #expect(server.connections == 2)
            #expect(server.statements == ["FIRST", "SILENT", "NEXT"])
        }
    }

    @Test("the connection of a statement past its deadline is replaced, and the statement not repeated")
    func late() async throws {
        try await run { server, pool in
            let task = Task { try await pool.read { connection in try connection.execute("SILENT") } }
            await wait(for: "SILENT", server)
            clock.advance(by: 30 + PostgreSQLConnection.grace)
            let error = await #expect(throws: EarshotError.self) { try await task.value }
            #expect(error?.code == .storeUnavailable)
            try await pool.read { connection in try connection.execute("NEXT") }
            #expect(server.connections == 2)
            #expect(server.statements == ["FIRST", "SILENT", "NEXT"])
        }
    }

    @Test("a change that is not kept in time is refused, with the words that it may still become true")
    func commit() async throws {
        try await run { server, pool in
            let task = Task { try await pool.write { connection in try connection.execute("CHANGE") } }
            await wait(for: "COMMIT", server)
            // It is not ended, whoever waits: the server would keep it without its standby.
            task.cancel()
            clock.advance(by: server.options.commitSeconds)
            let error = await #expect(throws: EarshotError.self) { try await task.value }
            #expect(error?.code == .storeUnavailable)
            #expect(error?.message.contains("may still become true") == true)
            try await pool.read { connection in try connection.execute("NEXT") }
            #expect(server.connections == 2 && server.cancellations == 0)
            #expect(server.statements == ["FIRST", "BEGIN", "CHANGE", "COMMIT", "NEXT"])
        }
    }

    @Test("a task that is canceled before its change is kept keeps nothing")
    func cancelledBefore() async throws {
        let server = try ScriptedServer { _ in false }
        defer { server.stop() }
        let pool = PostgreSQLPool(server.options, clock: clock.clock, interference: nil)
        let isCancelled = Mutex(false)
        let task = Task {
            try await pool.write { connection in
                while !isCancelled.withLock({ $0 }) { usleep(1_000) }
                try connection.execute("CHANGE")
            }
        }
        await wait(for: "BEGIN", server)
        task.cancel()
        isCancelled.withLock { $0 = true }
        let error = await #expect(throws: EarshotError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(server.statements == ["BEGIN", "CHANGE", "ROLLBACK"])
    }
}
