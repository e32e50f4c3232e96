import EarshotCore
import GRDB

/// A store in an SQLite database.
protocol DatabaseStore: Sendable {
    /// The store's name in the messages of errors, such as those of a damaged or full disk.
    var name: String { get }
    var database: any DatabaseWriter { get }
}

extension DatabaseStore {
    /// Reads, on a thread of SQLite's own.
    ///
    /// - Parameters:
    ///   - text: A text from the caller by which rows are found.
    ///   - others: Further such texts.
    ///   - body: Reads.
    /// - Throws: `requestInvalid` for a text with a character U+0000.
    func read<Value: Sendable>(
        by text: String,
        _ others: String...,
        body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value {
        try StoreDatabase.check([text] + others)
        return try await read(body)
    }

    /// Writes all or nothing, on a thread of SQLite's own.
    ///
    /// - Parameters:
    ///   - text: A text from the caller by which rows are found.
    ///   - others: Further such texts.
    ///   - body: Writes.
    /// - Throws: `requestInvalid` for a text with a character U+0000.
    func write<Value: Sendable>(
        by text: String,
        _ others: String...,
        body: @escaping @Sendable (Database) throws -> Value
    ) async throws(EarshotError) -> Value {
        try StoreDatabase.check([text] + others)
        return try await write(body)
    }

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
