import EarshotCore
import GRDB

/// A store that keeps what it knows in an SQLite database.
protocol DatabaseStore: Sendable {
    /// What a damaged or full disk, or another program, made impossible, is told with this name.
    var name: String { get }
    var database: any DatabaseWriter { get }
}

extension DatabaseStore {
    /// Reads, on a thread of SQLite's own.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value {
        do {
            return try await database.read(body)
        } catch {
            throw StoreDatabase.mapped(error, name)
        }
    }

    /// Writes all or nothing, on a thread of SQLite's own.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value {
        do {
            return try await database.write(body)
        } catch {
            throw StoreDatabase.mapped(error, name)
        }
    }
}
