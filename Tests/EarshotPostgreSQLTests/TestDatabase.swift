import EarshotCore
import Foundation
import Testing

@testable import EarshotPostgreSQL

/// A schema of its own in the PostgreSQL server of the tests, which `scripts/test` starts and names in `EARSHOT_TEST_POSTGRESQL`.
enum TestDatabase {
    /// The address of the server; `nil` if there is none.
    static let address = ProcessInfo.processInfo.environment["EARSHOT_TEST_POSTGRESQL"]

    /// Runs a test with the settings of an empty schema.
    static func run(_ body: (PostgreSQLOptions) async throws -> Void) async throws {
        let address = try #require(address)
        let schema = "test_\(UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: ""))"
        let pool = PostgreSQLPool(PostgreSQLOptions(address))
        try await pool.write { connection in try connection.execute("CREATE SCHEMA \(schema)") }
        var options = PostgreSQLOptions("\(address)&options=-csearch_path%3D\(schema)")
        options.connections = 4
        let result: Result<Void, any Error>
        do { result = .success(try await body(options)) } catch { result = .failure(error) }
        try await pool.write { connection in try connection.execute("DROP SCHEMA \(schema) CASCADE") }
        try result.get()
    }
}
