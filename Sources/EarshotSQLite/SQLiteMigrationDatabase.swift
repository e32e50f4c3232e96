package import EarshotCore
package import EarshotMigration
package import Foundation
import GRDB
import Synchronization

/// The databases of a service in a folder, as a migration reads or fills them.
package final class SQLiteMigrationDatabase: MigrationDatabase {
    /// The use of a folder.
    package enum Access: Sendable {
        /// Nothing is changed, and databases of other versions are refused.
        case reading
        /// Databases are created if there are none, and migrated to this version.
        case writing
    }

    /// The name of the file that says which migration into the folder has not ended.
    package static let originName = "migration"

    private let folder: URL
    private let access: Access
    private let files: [MigrationTable.Part: URL]
    private let databases = Mutex<[MigrationTable.Part: any DatabaseWriter]>([:])

    /// Databases in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - files: The files of the stores; those of which there is none are not read.
    ///   - access: The use.
    package init(folder: URL, files: [MigrationTable.Part: URL], access: Access) {
        (self.folder, self.files, self.access) = (folder, files, access)
    }

    package var name: String { folder.path }

    /// Returns the source of a migration into a folder that has not ended; `nil` if there is none.
    package static func origin(in folder: URL) throws(EarshotError) -> String? {
        let url = folder.appendingPathComponent(originName)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            return try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw EarshotError(.storeDamaged, "\(url.path) cannot be read: check its rights.", cause: error)
        }
    }

    // MARK: - Records

    package func count(_ table: MigrationTable) async throws(EarshotError) -> Int {
        try await read(table, 0) { database, mapping in try Int.fetchOne(database, sql: mapping.count) ?? 0 }
    }

    package func records(
        _ table: MigrationTable,
        after key: MigrationRecord?,
        limit: Int
    ) async throws(EarshotError) -> [MigrationRecord] {
        try await read(table, []) { database, mapping in
            let sql = mapping.page(isContinued: key != nil, limit: "?\((key?.count ?? 0) + 1)") { "?\($0 + 1)" }
            let arguments = StatementArguments((key ?? []).map(\.databaseValue) + [limit.databaseValue])
            let cursor = try Row.fetchCursor(database, sql: sql, arguments: arguments)
            var records: [MigrationRecord] = []
            while let row = try cursor.next() {
                records.append(
                    try table.columns.enumerated().map { place, column in
                        try MigrationValue(row[place], as: column.type, of: table)
                    }
                )
            }
            return records
        }
    }

    package func lastKey(_ table: MigrationTable) async throws(EarshotError) -> MigrationRecord? {
        try await read(table, nil) { database, mapping in
            guard let row = try Row.fetchOne(database, sql: mapping.last) else { return nil }
            return try table.columns.prefix(table.keyLength).enumerated().map { place, column in
                try MigrationValue(row[place], as: column.type, of: table)
            }
        }
    }

    package func add(_ records: [MigrationRecord], to table: MigrationTable) async throws(EarshotError) {
        guard !records.isEmpty else { return }
        let form = SQLiteMigrationForm.form(of: table)
        let url = try url(table)
        let opened = try await BlockingWork.run { () throws(EarshotError) in
            try self.database(of: table.part, making: true)
        }
        guard let database = opened else { throw Self.missing(table) }
        do {
            try await database.write { database in try form.add(records, database) }
        } catch {
            throw StoreDatabase.mapped(error, url.path)
        }
    }

    /// Triggers and SQLite keep all counters.
    package func finish() async throws(EarshotError) {}

    // MARK: - Origin

    package func origin() async throws(EarshotError) -> String? { try Self.origin(in: folder) }

    package func setOrigin(_ origin: String?) async throws(EarshotError) {
        let url = folder.appendingPathComponent(Self.originName)
        try await BlockingWork.run { () throws(EarshotError) in
            if let origin { return try AtomicFile.write(Array(origin.utf8), to: url, replacing: true) }
            guard unlink(url.path) == 0 || errno == ENOENT else {
                throw EarshotError(.writeFailed, "\(url.path) cannot be removed: check the folder and its rights.")
            }
        }
    }

    // MARK: - Databases

    private static func missing(_ table: MigrationTable) -> EarshotError {
        EarshotError(.internalError, "There is no database file for the table \(table.name): please report this.")
    }

    private func url(_ table: MigrationTable) throws(EarshotError) -> URL {
        guard let url = files[table.part] else { throw Self.missing(table) }
        return url
    }

    private func read<Value: Sendable>(
        _ table: MigrationTable,
        _ none: Value,
        _ body: @escaping @Sendable (Database, MigrationMapping) throws -> Value
    ) async throws(EarshotError) -> Value {
        let opened = try await BlockingWork.run { () throws(EarshotError) in
            try self.database(of: table.part, making: false)
        }
        guard let database = opened else { return none }
        let mapping = SQLiteMigrationForm.form(of: table).mapping
        do {
            return try await database.read { database in try body(database, mapping) }
        } catch {
            throw StoreDatabase.mapped(error, try url(table).path)
        }
    }

    /// Returns the database of a store, which is opened at its first use; `nil` if there is none and `making` is `false`.
    private func database(of part: MigrationTable.Part, making: Bool) throws(EarshotError) -> (any DatabaseWriter)? {
        guard let url = files[part] else { return nil }
        return try databases.withLock { databases throws(EarshotError) in
            if let database = databases[part] { return database }
            guard making || FileManager.default.fileExists(atPath: url.path) else { return nil }
            let database = try access == .reading ? Self.unchanged(part, url) : Self.made(part, url)
            databases[part] = database
            return database
        }
    }

    private static func made(_ part: MigrationTable.Part, _ url: URL) throws(EarshotError) -> any DatabaseWriter {
        switch part {
        case .accounts: try SQLiteAccountStore(url: url).database
        case .pieces: try SQLitePieceStore(url: url).database
        case .playlog: try SQLitePlaylogStore(url: url).database
        case .fingerprints: try SQLiteFingerprintStore(url: url).database
        case .guide: try SQLiteGuideStore(url: url).database
        case .music: try SQLiteMusicStore(url: url).database
        }
    }

    /// Opens a database for reading only.
    ///
    /// - Throws: `storeDamaged` for one of an older or a newer version.
    private static func unchanged(_ part: MigrationTable.Part, _ url: URL) throws(EarshotError) -> any DatabaseWriter {
        let migrator =
            switch part {
            case .accounts: SQLiteAccountStore.migrator
            case .pieces: PieceSchema.migrator
            case .playlog: PlaylogSchema.migrator
            case .fingerprints: FingerprintSchema.migrator
            case .guide: GuideSchema.migrator
            case .music: MusicSchema.migrator
            }
        return try StoreDatabase.guarding(url.path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(10)
            let database = try DatabaseQueue(path: url.path, configuration: configuration)
            let isCurrent = try database.read { database in
                try migrator.hasCompletedMigrations(database) && !migrator.hasBeenSuperseded(database)
            }
            guard isCurrent else {
                throw EarshotError(
                    .storeDamaged,
                    "\(url.path) is of another version of this program: start `earshot serve` of this version with it once, then repeat."
                )
            }
            return database
        }
    }
}

extension MigrationValue {
    /// The value in a statement.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): value.databaseValue
        }
    }

    /// Converts a value of a column.
    ///
    /// - Throws: `storeDamaged` if it is of another type.
    fileprivate init(_ value: DatabaseValue, as type: MigrationType, of table: MigrationTable) throws(EarshotError) {
        switch (type, value.storage) {
        case (_, .null): self = .null
        case (.integer, .int64(let number)): self = .integer(Int(truncatingIfNeeded: number))
        case (.real, .double(let number)): self = .real(number)
        case (.real, .int64(let number)): self = .real(Double(number))
        case (.text, .string(let text)): self = .text(text)
        case (.bytes, .blob(let bytes)): self = .bytes(bytes)
        default:
            throw EarshotError(
                .storeDamaged,
                "A value in \(table.name) has another type than it should have: restore the database from a backup."
            )
        }
    }
}
