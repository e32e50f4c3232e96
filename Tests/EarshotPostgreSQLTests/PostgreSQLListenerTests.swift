import EarshotCore
import Foundation
import Testing

@testable import EarshotPostgreSQL

@Suite("Hints of PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLListenerTests {
    /// A name that no other test has.
    private let channel = "test \"\(UUID().uuidString)\""

    /// The settings of connections by which the server knows those of this test.
    private func options(_ schema: PostgreSQLOptions) throws -> PostgreSQLOptions {
        var options = schema
        options.address += "&application_name=\(name)"
        return options
    }

    private var name: String { "listener-\(channel.hashValue.magnitude)" }

    private func tell(_ hints: [(channel: String, hint: String)], _ pool: PostgreSQLPool) async throws {
        try await pool.write { connection in
            for (channel, hint) in hints { try connection.notify(channel, hint) }
        }
    }

    private func connections(_ pool: PostgreSQLPool) async throws -> Int? {
        let name = name
        return try await pool.read { connection in
            try connection.row("SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = $1", name)?
                .integer("n")
        }
    }

    @Test("a hint comes once its transaction is kept, after one that says to read anew")
    func arrives() async throws {
        try await TestDatabase.run { schema in
            let pool = PostgreSQLPool(schema)
            let listener = PostgreSQLListener(try options(schema))
            var hints = listener.hints(channel).makeAsyncIterator()
            #expect(await hints.next() == .some(nil))
            try await tell([(channel, "one"), (channel, ""), (channel, "Grüße")], pool)
            let refused = await #expect(throws: EarshotError.self) {
                try await pool.write { [channel] connection in
                    try connection.notify(channel, "never")
                    try connection.execute("SELECT 1 / 0")
                }
            }
            #expect(refused?.code == .internalError)
            try await tell([(channel, "last")], pool)
            var found: [String?] = []
            for _ in 0..<4 { found.append(try #require(await hints.next())) }
            #expect(found == ["one", "", "Grüße", "last"])
            withExtendedLifetime(listener) {}
        }
    }

    @Test("streams get the hints of their channels, and later ones join the connection")
    func channels() async throws {
        try await TestDatabase.run { schema in
            let pool = PostgreSQLPool(schema)
            let listener = PostgreSQLListener(try options(schema))
            var first = listener.hints(channel + "a").makeAsyncIterator()
            #expect(await first.next() == .some(nil))
            var second = listener.hints(channel + "b").makeAsyncIterator()
            var third = listener.hints(channel + "b").makeAsyncIterator()
            #expect(await second.next() == .some(nil))
            #expect(await third.next() == .some(nil))
            try await tell(
                [(channel + "b", "x"), (channel + "a", "y"), (channel + "c", "z"), (channel + "a", "")],
                pool
            )
            #expect(await first.next() == .some("y"))
            #expect(await first.next() == .some(""))
            #expect(await second.next() == .some("x"))
            #expect(await third.next() == .some("x"))
            #expect(try await connections(pool) == 1)
            withExtendedLifetime(listener) {}
        }
    }

    @Test("after the connection was lost every stream is told to read anew, and hints come again")
    func reconnects() async throws {
        try await TestDatabase.run { schema in
            let (pool, name) = (PostgreSQLPool(schema), name)
            let listener = PostgreSQLListener(try options(schema))
            var first = listener.hints(channel).makeAsyncIterator()
            var second = listener.hints(channel + "b").makeAsyncIterator()
            #expect(await first.next() == .some(nil))
            #expect(await second.next() == .some(nil))
            for round in ["one", "two"] {
                let ended = try await pool.read { connection in
                    try connection.row(
                        "SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity WHERE application_name = $1",
                        name
                    )?.integer("n")
                }
                #expect(ended == 1)
                #expect(await first.next() == .some(nil))
                #expect(await second.next() == .some(nil))
                try await tell([(channel, round), (channel + "b", round)], pool)
                #expect(await first.next() == .some(round))
                #expect(await second.next() == .some(round))
            }
            withExtendedLifetime(listener) {}
        }
    }

    @Test("the connection ends with the last stream, and another stream makes another one")
    func closes() async throws {
        try await TestDatabase.run { schema in
            let pool = PostgreSQLPool(schema)
            let listener = PostgreSQLListener(try options(schema))
            for _ in 0..<2 {
                do {
                    var hints = listener.hints(channel).makeAsyncIterator()
                    #expect(await hints.next() == .some(nil))
                    #expect(try await connections(pool) == 1)
                }
                while try await connections(pool) != 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
            withExtendedLifetime(listener) {}
        }
    }

    @Test("streams end with the listener")
    func ends() async throws {
        try await TestDatabase.run { schema in
            let pool = PostgreSQLPool(schema)
            var listener: PostgreSQLListener? = PostgreSQLListener(try options(schema))
            var hints = try #require(listener).hints(channel).makeAsyncIterator()
            #expect(await hints.next() == .some(nil))
            listener = nil
            #expect(await hints.next() == nil)
            while try await connections(pool) != 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("of more hints than wait the oldest are lost, and the last says to read anew")
    func overflow() async throws {
        try await TestDatabase.run { schema in
            let pool = PostgreSQLPool(schema)
            let listener = PostgreSQLListener(try options(schema))
            var hints = listener.hints(channel).makeAsyncIterator()
            var end = listener.hints(channel + "end").makeAsyncIterator()
            #expect(await hints.next() == .some(nil))
            #expect(await end.next() == .some(nil))
            try await tell((0..<400).map { (channel, "\($0)") } + [(channel + "end", "")], pool)
            #expect(await end.next() == .some(""))
            var found: [String?] = []
            for _ in 0..<256 { found.append(try #require(await hints.next())) }
            #expect(found.last == .some(nil) && found.contains("399") && !found.contains("0"))
            withExtendedLifetime(listener) {}
        }
    }
}
