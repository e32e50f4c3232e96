import Foundation
import TestSupport
import Testing

@testable import EarshotPostgreSQL

/// A PostgreSQL server of its own, which a test may stop.
struct TestServer {
    /// The address of the server.
    let address: String
    private let process: pid_t

    /// Runs a test with a server, which is ended and removed afterwards.
    static func run(_ body: (TestServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        // `Process` waits until nobody has its descriptors any more: the server gets none of them.
        let script = """
            (
                for descriptor in {3..255}; do eval "exec $descriptor>&-"; done
                source "$1/scripts/lib/postgresql"
                postgresql_start "$2" || { echo "$postgresql_missing" >&2; exit 1; }
                echo "$postgresql_address"
                head -n 1 "$postgresql_folder/data/postmaster.pid"
            )
            """
        let arguments = ["-c", script, "bash", packageFolder.path, folder.url.path]
        let outcome = try await Tool(at: URL(fileURLWithPath: "/bin/bash")).run(arguments)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let server = TestServer(
            address: try #require(lines.first),
            process: try #require(lines.last.flatMap(pid_t.init))
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        try await server.stop()
        withExtendedLifetime(folder) {}
        try result.get()
    }

    /// Ends the server at once, as a crash does.
    func stop() async throws {
        guard kill(process, SIGQUIT) == 0 else { return }
        // The process itself may stay until its parent looks; its port is free before.
        let pool = PostgreSQLPool(PostgreSQLOptions(address))
        while (try? await pool.read { connection in try connection.execute("SELECT 1") }) != nil {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The host and the port.
    static func place(_ address: String) throws -> String {
        let components = try #require(URLComponents(string: address))
        return "\(try #require(components.host)):\(try #require(components.port))"
    }

    /// The settings of connections to the first of several servers that takes changes.
    static func options(_ places: [String]) -> PostgreSQLOptions {
        var options = PostgreSQLOptions(
            "postgresql://earshot@\(places.joined(separator: ","))/postgres?connect_timeout=10&target_session_attrs=read-write"
        )
        options.connections = 1
        return options
    }
}
