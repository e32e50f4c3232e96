package import EarshotAnalysis
package import EarshotCore
package import Foundation
import GRDB

/// Results of analyses in an SQLite database.
///
/// It may be thrown away at any time: what was in it is analyzed anew.
package final class SQLiteAnalysisStore: AnalysisStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one.
    ///
    /// - Parameter url: A file.
    /// - Throws: `storeDamaged` for a file that is no database or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    package init(url: URL) throws(EarshotError) {
        // Results that a loss of power takes are computed again, so writes need not wait for the disk.
        let configuration = StoreDatabase.configuration(readers: 1, "synchronous = NORMAL")
        name = url.path
        database = try StoreDatabase.pool(at: url, configuration)
        try StoreDatabase.migrate(database, Self.migrator, named: name)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory() throws(EarshotError) -> SQLiteAnalysisStore {
        let name = "analyses in memory"
        return try SQLiteAnalysisStore(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.migrate(database, Self.migrator, named: name)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE analysis (
                        item TEXT NOT NULL,
                        analyser TEXT NOT NULL,
                        version INTEGER NOT NULL,
                        stamp TEXT NOT NULL, -- what the file was
                        result BLOB, -- JSON; absent where it failed
                        code TEXT,
                        message TEXT,
                        PRIMARY KEY (item, analyser)
                    ) STRICT, WITHOUT ROWID;
                    """
            )
        }
        return migrator
    }

    /// Returns the newest record of an item by an analyzer.
    package func record(of item: String, by analyzer: String) async throws(EarshotError) -> AnalysisRecord? {
        try await read { database in
            let statement = try database.cachedStatement(sql: "\(Self.selection) WHERE item = ? AND analyser = ?")
            return try Row.fetchOne(statement, arguments: [item, analyzer]).map(Self.record)
        }
    }

    /// Returns all records of items, in no order.
    package func records(of items: [String]) async throws(EarshotError) -> [AnalysisRecord] {
        try await read { database in
            let statement = try database.cachedStatement(sql: "\(Self.selection) WHERE item = ?")
            return try items.flatMap { try Row.fetchAll(statement, arguments: [$0]).map(Self.record) }
        }
    }

    private static let selection = "SELECT item, analyser, version, stamp, result, code, message FROM analysis"

    private static func record(_ row: Row) -> AnalysisRecord {
        let result: Data? = row["result"]
        return AnalysisRecord(
            item: row["item"],
            analyzer: row["analyser"],
            version: row["version"],
            stamp: row["stamp"],
            outcome: result.map { .result([UInt8]($0)) }
                ?? .failure(code: row["code"] ?? "internalError", message: row["message"] ?? "")
        )
    }

    /// Keeps records in the place of older ones.
    package func keep(_ records: [AnalysisRecord]) async throws(EarshotError) {
        try await write { database in
            let statement = try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO analysis (item, analyser, version, stamp, result, code, message)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            )
            for record in records {
                let result: Data?
                let failure: (code: String?, message: String?)
                switch record.outcome {
                case .result(let bytes): (result, failure) = (Data(bytes), (nil, nil))
                case .failure(let code, let message): (result, failure) = (nil, (code, message))
                }
                try statement.execute(
                    arguments: [
                        record.item, record.analyzer, record.version, record.stamp, result, failure.code,
                        failure.message,
                    ]
                )
            }
        }
    }

    /// Forgets what there is of items.
    package func forget(_ items: [String]) async throws(EarshotError) {
        try await write { database in
            for item in items { try database.execute(sql: "DELETE FROM analysis WHERE item = ?", arguments: [item]) }
        }
    }

    /// Returns the items of which there are records, in order.
    package func items() async throws(EarshotError) -> [String] {
        try await read { try String.fetchAll($0, sql: "SELECT DISTINCT item FROM analysis ORDER BY item") }
    }
}
