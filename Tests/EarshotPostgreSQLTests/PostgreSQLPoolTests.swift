import EarshotCore
import Foundation
import Synchronization
import Testing

@testable import EarshotPostgreSQL

@Suite("Connections to PostgreSQL", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(5)))
struct PostgreSQLPoolTests {
    @Test("values of all types come back as they were sent")
    func types() async throws {
        try await TestDatabase.run { options in
            let row = try #require(
                try await PostgreSQLPool(options).read { connection in
                    try connection.row(
                        """
                        SELECT $1 AS yes, $2 AS most, $3 AS least, $4 AS number, $5 AS words, $6 AS bytes, $7::bigint AS none, \
                        array_length($8, 1) AS texts, ($11::float8[])[2] AS second, $9 AS empty, 5::smallint AS short, -7::int AS middle, $10 AS nothing
                        """,
                        true,
                        Int.max,
                        Int.min,
                        -0.1,
                        "Grüße, 朝 '; DROP TABLE x --",
                        Data([0, 1, 255]),
                        nil,
                        PostgreSQLValue.texts(["a", "", "{b,c}"]),
                        "",
                        Data(),
                        PostgreSQLValue.doubles([1, 0.1])
                    )
                }
            )
            #expect(try row.bool("yes") == true)
            #expect(try row.integer("most") == .max && row.integer("least") == .min)
            #expect(try row.integer("short") == 5 && row.integer("middle") == -7 && row.integer("texts") == 3)
            #expect(try row.double("number") == -0.1 && row.double("second") == 0.1)
            #expect(try row.text("words") == "Grüße, 朝 '; DROP TABLE x --" && row.text("empty") == "")
            #expect(try row.bytes("bytes") == Data([0, 1, 255]) && row.bytes("nothing") == Data())
            #expect(try row.integer("none") == nil)
            #expect(throws: EarshotError.self) { try row.text("none") }
            #expect(throws: EarshotError.self) { try row.text("other") }
        }
    }

    @Test("of a server that does not answer one piece of work waits, and those after it fail at once")
    func silent() async throws {
        // The system takes connections of a listener, and nobody reads what they send.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && getsockname(listener, pointer, &length) == 0
                    && listen(listener, 16) == 0
            }
        }
        try #require(isListening)
        let port = UInt16(bigEndian: address.sin_port)
        let options = PostgreSQLOptions(
            "postgresql://earshot@127.0.0.1:\(port)/none?sslmode=disable&gssencmode=disable"
        )
        let pool = PostgreSQLPool(options)
        for _ in 0..<4 {
            let error = await #expect(throws: EarshotError.self) { try await pool.read { _ in } }
            #expect(error?.code == .storeUnavailable)
        }
        #expect(fcntl(listener, F_SETFL, O_NONBLOCK) == 0)
        var count = 0
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            close(connection)
            count += 1
        }
        #expect(count == 1)
    }

    @Test("columns of values come back as rows, with those that are missing")
    func columns() async throws {
        try await TestDatabase.run { options in
            let rows = try await PostgreSQLPool(options).read { connection in
                try connection.rows(
                    "SELECT * FROM unnest($1, $2, $3, $4) AS given (words, number, share, bytes)",
                    PostgreSQLValue.column(.texts, [.text("a"), .null, .text("")]),
                    PostgreSQLValue.column(.integers, [.null, .integer(2), .integer(3)]),
                    PostgreSQLValue.column(.doubles, [.double(0.1), .null, .double(0.3)]),
                    PostgreSQLValue.column(.bytes, [.bytes(Data([0])), .bytes(Data()), .null])
                )
            }
            #expect(try rows.map { row in try row.text("words") } == ["a", nil, ""])
            #expect(try rows.map { row in try row.integer("number") } == [nil, 2, 3])
            #expect(try rows.map { row in try row.double("share") } == [0.1, nil, 0.3])
            #expect(try rows.map { row in try row.bytes("bytes") } == [Data([0]), Data(), nil])
        }
    }

    @Test("a refused statement leaves nothing of its transaction, and the connection works on")
    func refused() async throws {
        try await TestDatabase.run { options in
            var single = options
            single.connections = 1
            let pool = PostgreSQLPool(single)
            try await pool.write { connection in try connection.execute("CREATE TABLE t (n bigint PRIMARY KEY)") }
            let error = await #expect(throws: EarshotError.self) {
                try await pool.write { connection in
                    try connection.change("INSERT INTO t VALUES ($1)", 1)
                    try connection.change("INSERT INTO t VALUES ($1)", 1)
                }
            }
            #expect(error?.code == .internalError)
            let count = try await pool.read { connection in
                try connection.row("SELECT count(*) AS n FROM t")?.integer("n")
            }
            #expect(count == 0)
            let zero = await #expect(throws: EarshotError.self) {
                try await pool.read { connection in _ = try connection.row("SELECT $1 AS t", "a\u{0}b") }
            }
            #expect(zero?.code == .requestInvalid)
        }
    }

    @Test("transactions that wait for each other's rows are repeated until both are kept")
    func deadlock() async throws {
        try await TestDatabase.run { options in
            let pool = PostgreSQLPool(options)
            try await pool.write { connection in
                try connection.execute(
                    "CREATE TABLE t (n bigint PRIMARY KEY, v bigint NOT NULL); INSERT INTO t VALUES (1, 0), (2, 0)"
                )
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for order in [[1, 2], [2, 1]] {
                    group.addTask {
                        try await pool.write { connection in
                            for row in order {
                                try connection.change("UPDATE t SET v = v + 1 WHERE n = $1", row)
                                try connection.rows("SELECT pg_sleep(0.2)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let sum = try await pool.read { connection in
                try connection.row("SELECT sum(v)::bigint AS s FROM t")?.integer("s")
            }
            #expect(sum == 4)
        }
    }

    @Test("whoever measures is told of reads and transactions, and of what failed for the database alone")
    func observed() async throws {
        try await TestDatabase.run { options in
            let told = Mutex<[PostgreSQLWork]>([])
            let pool = PostgreSQLPool(options) { work in told.withLock { $0.append(work) } }
            try await pool.read { connection in try connection.execute("SELECT 1") }
            try await pool.write { connection in try connection.execute("CREATE TABLE t (n bigint)") }
            await #expect(throws: EarshotError.self) {
                try await pool.read { connection in try connection.execute("SELECT nothing FROM nowhere") }
            }
            await #expect(throws: EarshotError.self) {
                try await pool.write { _ in throw EarshotError(.entityNotFound, "The work has no such thing.") }
            }
            let all = told.withLock { $0 }
            #expect(all.map(\.kind) == [.read, .write, .read, .write])
            #expect(all.map(\.failure) == [nil, nil, .internalError, nil])
            #expect(all.allSatisfy { ($0.seconds ?? -1) >= 0 })
        }
    }

    @Test("a canceled task ends its statement, and its connection works on")
    func cancelled() async throws {
        try await TestDatabase.run { options in
            var single = options
            single.connections = 1
            let pool = PostgreSQLPool(single)
            let task = Task { try await pool.read { connection in _ = try connection.rows("SELECT pg_sleep(600)") } }
            while pool.load.used == 0 { try await Task.sleep(for: .milliseconds(10)) }
            try await Task.sleep(for: .milliseconds(100))
            task.cancel()
            let error = await #expect(throws: EarshotError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try await pool.read { connection in try connection.row("SELECT 1 AS n")?.integer("n") } == 1)
        }
    }

    @Test("work that waits too long for a connection is refused, and others wait in order")
    func patience() async throws {
        try await TestDatabase.run { options in
            var single = options
            (single.connections, single.patience) = (1, 0.2)
            let pool = PostgreSQLPool(single)
            let first = Task { try await pool.read { connection in _ = try connection.rows("SELECT pg_sleep(1.5)") } }
            while pool.load.used == 0 { try await Task.sleep(for: .milliseconds(10)) }
            let error = await #expect(throws: EarshotError.self) {
                try await pool.read { connection in _ = try connection.rows("SELECT 1") }
            }
            #expect(error?.code == .storeUnavailable)
            try await first.value
            #expect(pool.load == (0, 0))
        }
    }

    @Test("a server that is not there is named at the start, with what to do, and no password")
    func absent() async throws {
        let options = PostgreSQLOptions("postgresql://ada:secret@127.0.0.1:1/earshot?connect_timeout=1")
        let error = await #expect(throws: EarshotError.self) { try await PostgreSQLPool.connected(options) }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.message.contains("postgresql://ada@127.0.0.1:1/earshot cannot be opened") == true)
        #expect(error?.message.contains("secret") == false)
    }

    @Test("a server that goes away is not named to callers of the service")
    func gone() async throws {
        let options = PostgreSQLOptions("postgresql://ada:secret@127.0.0.1:1/earshot?connect_timeout=1")
        let error = await #expect(throws: EarshotError.self) {
            try await PostgreSQLPool(options).read { connection in _ = try connection.rows("SELECT 1") }
        }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.message.contains("127.0.0.1") == false)
        #expect((error?.cause as? PostgreSQLFailure)?.message.contains("127.0.0.1") == true)
    }

    @Test(
        "an address is told without its password",
        arguments: [
            ("postgresql://ada:p@ss:word@db/x?password=secret", "postgresql://ada@db/x"),
            ("postgresql://ada@db-1,db-2/x?target_session_attrs=any", "postgresql://ada@db-1,db-2/x"),
            ("postgres://db/x", "postgres://db/x"), ("postgresql:///x?user=a@b", "postgresql:///x"),
            ("postgresql://a b:c@[::/x", "postgresql://a b@[::/x"),
            ("host=db password=secret user=ada", "host=db user=ada"),
        ]
    )
    func names(address: String, name: String) async throws {
        #expect(PostgreSQLOptions(address).name == name)
        // Of one that it cannot read libpq repeats all.
        let failure = PostgreSQLFailure(state: "", message: "missing \"]\": \"\(address)\"", isConnectionLost: true)
        #expect(!failure.opening(PostgreSQLOptions(address)).message.contains("secret"))
    }

    @Test("more statements than are kept prepared are run")
    func many() async throws {
        try await TestDatabase.run { options in
            var single = options
            single.connections = 1
            let pool = PostgreSQLPool(single)
            for number in 0..<600 {
                let found = try await pool.read { connection in
                    try connection.row("SELECT \(number)::bigint + $1 AS n", 1)?.integer("n")
                }
                #expect(found == number + 1)
            }
        }
    }
}
