package import EarshotCore
package import EarshotRecognition
package import Foundation
import GRDB

/// Clients, users, quotas and histories of a service in an SQLite database: one file, no server.
///
/// The service and the operator's commands may have it open at the same time.
package final class SQLiteAccountStore: AccountStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one that only its owner may read.
    ///
    /// - Parameter url: A file.
    /// - Throws: `storeDamaged` for a file that is no database or of a newer version, `storeUnavailable` when it cannot be
    ///   opened, `writeFailed` when it cannot be made.
    package convenience init(url: URL) throws(EarshotError) {
        try self.init(try StoreDatabase.pool(at: url), name: url.path)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory() throws(EarshotError) -> SQLiteAccountStore {
        let name = "a store in memory"
        return try SQLiteAccountStore(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.migrate(database, Self.migrator, named: name)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE client (id TEXT PRIMARY KEY NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE user (
                        id TEXT PRIMARY KEY NOT NULL,
                        client TEXT NOT NULL REFERENCES client (id) ON DELETE CASCADE,
                        lastEntry INTEGER NOT NULL DEFAULT 0,
                        json TEXT NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX user_client ON user (client, id);
                    CREATE TABLE history (
                        user TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE,
                        id INTEGER NOT NULL,
                        date REAL NOT NULL,
                        kind TEXT NOT NULL,
                        match TEXT NOT NULL,
                        PRIMARY KEY (user, id)
                    ) WITHOUT ROWID;
                    CREATE TABLE usage (
                        day TEXT NOT NULL,
                        subject TEXT NOT NULL,
                        count INTEGER NOT NULL,
                        PRIMARY KEY (day, subject)
                    ) WITHOUT ROWID;
                    CREATE TABLE value (name TEXT PRIMARY KEY NOT NULL, bytes BLOB NOT NULL) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("2") { database in
            // Before this version, a single right included all others.
            let all = "json_array('bundles', 'channels', 'exports', 'media', 'references')"
            try database.execute(
                sql: """
                    UPDATE client SET json = json_remove(
                        json_set(
                            json, '$.rights',
                            CASE WHEN json_extract(json, '$.mayChangeReferences') THEN \(all) ELSE json_array() END),
                        '$.mayChangeReferences');
                    CREATE TABLE owner (
                        kind TEXT NOT NULL,
                        id TEXT NOT NULL,
                        client TEXT NOT NULL REFERENCES client (id) ON DELETE CASCADE,
                        PRIMARY KEY (kind, id)
                    ) WITHOUT ROWID;
                    CREATE INDEX owner_client ON owner (client);
                    """
            )
        }
        migrator.registerMigration("3") { database in try Self.addPlacesAndWords(database) }
        migrator.registerMigration("4") { database in
            // The number of the last batch of each writer, so that a repeated batch is not added twice.
            try database.execute(
                sql: """
                    CREATE TABLE usage_batch (
                        writer TEXT PRIMARY KEY NOT NULL,
                        number INTEGER NOT NULL,
                        day TEXT NOT NULL
                    ) WITHOUT ROWID
                    """
            )
        }
        migrator.registerMigration("5") { database in
            // The identifier of the last granted request for uses and its number of uses, so that a repeated request does not take them twice.
            try database.execute(
                sql:
                    "ALTER TABLE usage ADD COLUMN taker TEXT; ALTER TABLE usage ADD COLUMN taken INTEGER NOT NULL DEFAULT 0"
            )
        }
        return migrator
    }

    static func text(_ value: some Encodable) throws -> String {
        try JSONEncoder.sorted().text(value)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw EarshotError(.storeDamaged, "An account cannot be read: restore it from a backup.", cause: error)
        }
    }

    /// Changes the JSON in a row of a table atomically.
    private func update<Value: Codable & Sendable>(
        _ table: String,
        _ id: String,
        _ body: @escaping @Sendable (inout Value) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> Value? {
        try await write(by: id) { database in
            let sql = "SELECT json FROM \(table) WHERE id = ?"
            guard let text = try String.fetchOne(database, sql: sql, arguments: [id]) else { return nil }
            var value = try Self.value(Value.self, text)
            try body(&value)
            let change = "UPDATE \(table) SET json = ? WHERE id = ?"
            try database.execute(sql: change, arguments: [try Self.text(value), id])
            return value
        }
    }

    // MARK: - Clients

    /// Returns a client; `nil` if there is none of this id.
    package func client(_ id: String) async throws(EarshotError) -> ServiceClient? {
        try await read(by: id) { database in
            try String.fetchOne(database, sql: "SELECT json FROM client WHERE id = ?", arguments: [id])
                .map { try Self.value(ServiceClient.self, $0) }
        }
    }

    /// Returns all clients, in order of ids.
    package func clients() async throws(EarshotError) -> [ServiceClient] {
        try await read { database in
            try String.fetchAll(database, sql: "SELECT json FROM client ORDER BY id")
                .map { try Self.value(ServiceClient.self, $0) }
        }
    }

    /// Keeps a client, in place of the one of the same id.
    package func put(_ client: ServiceClient) async throws(EarshotError) {
        try await write(by: client.id) { database in
            try database.execute(
                sql: "INSERT INTO client (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json",
                arguments: [client.id, try Self.text(client)]
            )
        }
    }

    /// Keeps a new client.
    package func add(_ client: ServiceClient) async throws(EarshotError) -> Bool {
        try await write(by: client.id) { database in
            try database.execute(
                sql: "INSERT INTO client (id, json) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
                arguments: [client.id, try Self.text(client)]
            )
            return database.changesCount > 0
        }
    }

    /// Changes a client, as one step that nobody else's change comes between.
    package func updateClient(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceClient) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceClient? {
        try await update("client", id, body)
    }

    /// Forgets a client, its users, and their histories.
    @discardableResult
    package func removeClient(_ id: String) async throws(EarshotError) -> Bool {
        try await write(by: id) { database in
            try database.execute(sql: "DELETE FROM client WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    // MARK: - Users

    /// Returns a user; `nil` if there is none of this id.
    package func user(_ id: String) async throws(EarshotError) -> ServiceUser? {
        try await read(by: id) { database in
            try String.fetchOne(database, sql: "SELECT json FROM user WHERE id = ?", arguments: [id])
                .map { try Self.value(ServiceUser.self, $0) }
        }
    }

    /// Returns the users of a client, in order of ids.
    package func users(of client: String, offset: Int, limit: Int) async throws(EarshotError) -> [ServiceUser] {
        try await read(by: client) { database in
            try String.fetchAll(
                database,
                sql: "SELECT json FROM user WHERE client = ? ORDER BY id LIMIT ? OFFSET ?",
                arguments: [client, limit, offset]
            ).map { try Self.value(ServiceUser.self, $0) }
        }
    }

    /// Keeps a user, in place of the one of the same id.
    package func put(_ user: ServiceUser) async throws(EarshotError) {
        try await write(by: user.id, user.client) { database in
            guard try Bool.fetchOne(database, sql: "SELECT 1 FROM client WHERE id = ?", arguments: [user.client]) != nil
            else { throw EarshotError(.entityNotFound, "There is no client \(user.client): make it first.") }
            try database.execute(
                sql: """
                    INSERT INTO user (id, client, json) VALUES (?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET client = excluded.client, json = excluded.json
                    """,
                arguments: [user.id, user.client, try Self.text(user)]
            )
        }
    }

    /// Changes a user, as one step that nobody else's change comes between.
    package func updateUser(
        _ id: String,
        _ body: @escaping @Sendable (inout ServiceUser) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> ServiceUser? {
        try await update("user", id, body)
    }

    /// Keeps a new user, unless the client has as many as it may.
    package func register(_ user: ServiceUser, limit: Int?) async throws(EarshotError) -> Int? {
        try await write(by: user.id, user.client) { database in
            guard try Bool.fetchOne(database, sql: "SELECT 1 FROM client WHERE id = ?", arguments: [user.client]) != nil
            else { throw EarshotError(.entityNotFound, "There is no client \(user.client): make it first.") }
            let count = try Self.userCount(of: user.client, database)
            if let limit, count >= limit { return nil }
            try database.execute(
                sql: "INSERT INTO user (id, client, json) VALUES (?, ?, ?)",
                arguments: [user.id, user.client, try Self.text(user)]
            )
            return count + 1
        }
    }

    /// Returns the number of a client's users.
    package func userCount(of client: String) async throws(EarshotError) -> Int {
        try await read(by: client) { database in try Self.userCount(of: client, database) }
    }

    private static func userCount(of client: String, _ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM user WHERE client = ?", arguments: [client]) ?? 0
    }

    /// Forgets a user and the user's history.
    @discardableResult
    package func removeUser(_ id: String) async throws(EarshotError) -> Bool {
        try await write(by: id) { database in
            try database.execute(sql: "DELETE FROM user WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    // MARK: - Usage

    /// Returns the number of uses by a subject on a day.
    package func usage(of subject: String, on day: String) async throws(EarshotError) -> Int {
        try await read(by: subject, day) { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count FROM usage WHERE day = ? AND subject = ?",
                arguments: [day, subject]
            ) ?? 0
        }
    }

    /// Returns the uses of several subjects on several days, in order of days and subjects.
    package func usage(
        beginning prefix: String,
        since first: String
    ) async throws(EarshotError) -> [UsageCount] {
        try await read(by: prefix, first) { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT day, subject, count FROM usage
                    WHERE day >= ?1 AND substr(subject, 1, length(?2)) = ?2 ORDER BY day, subject
                    """,
                arguments: [first, prefix]
            ).map { UsageCount(subject: $0["subject"], day: $0["day"], count: $0["count"]) }
        }
    }

    /// Takes uses of a day in one step.
    package func takeUsage(_ request: UsageRequest) async throws(EarshotError) -> (taken: Int, used: Int) {
        try await write(by: request.subject, request.day) { database in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT count, taker, taken FROM usage WHERE day = ? AND subject = ?",
                arguments: [request.day, request.subject]
            )
            let used: Int = row?["count"] ?? 0
            if let row, let id = request.id, (row["taker"] as String?) == id { return (row["taken"], used) }
            let taken = request.taken(after: used)
            guard taken > 0 else { return (0, used) }
            try database.execute(
                sql: "INSERT OR REPLACE INTO usage (day, subject, count, taker, taken) VALUES (?, ?, ?, ?, ?)",
                arguments: [request.day, request.subject, used + taken, request.id, taken]
            )
            return (taken, used + taken)
        }
    }

    /// Adds to what was used on a day, once, and forgets days before the one named.
    package func addUsage(_ batch: UsageBatch, forgettingBefore first: String) async throws(EarshotError) {
        try StoreDatabase.check(Array(batch.uses.keys) + [batch.writer, batch.day, first])
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO usage_batch (writer, number, day) VALUES (?, ?, ?)
                    ON CONFLICT (writer) DO UPDATE SET number = excluded.number, day = excluded.day
                    WHERE number < excluded.number
                    """,
                arguments: [batch.writer, batch.number, batch.day]
            )
            guard database.changesCount > 0 else { return }
            for (subject, count) in batch.uses {
                try database.execute(
                    sql: """
                        INSERT INTO usage (day, subject, count) VALUES (?, ?, ?)
                        ON CONFLICT (day, subject) DO UPDATE SET count = count + excluded.count
                        """,
                    arguments: [batch.day, subject, count]
                )
            }
            try database.execute(sql: "DELETE FROM usage WHERE day < ?", arguments: [first])
            try database.execute(sql: "DELETE FROM usage_batch WHERE day < ?", arguments: [first])
        }
    }

    // MARK: - Owners

    /// Returns the id of the client that a resource belongs to; `nil` if it belongs to none.
    package func owner(of resource: OwnedResource) async throws(EarshotError) -> String? {
        try await read(by: resource.id) { database in
            try String.fetchOne(
                database,
                sql: "SELECT client FROM owner WHERE kind = ? AND id = ?",
                arguments: [resource.kind.rawValue, resource.id]
            )
        }
    }

    /// Gives a resource to a client.
    package func setOwner(_ client: String?, of resource: OwnedResource) async throws(EarshotError) {
        try await write(by: resource.id, client ?? "") { database in
            try database.execute(
                sql: "DELETE FROM owner WHERE kind = ? AND id = ?",
                arguments: [resource.kind.rawValue, resource.id]
            )
            try database.execute(
                sql: "INSERT INTO owner (kind, id, client) SELECT ?, ?, id FROM client WHERE id = ?",
                arguments: [resource.kind.rawValue, resource.id, client]
            )
        }
    }

    // MARK: - Values

    /// Returns a value of the service, such as a secret; `nil` if there is none.
    package func value(_ name: String) async throws(EarshotError) -> Data? {
        try await read(by: name) { database in
            try Data.fetchOne(database, sql: "SELECT bytes FROM value WHERE name = ?", arguments: [name])
        }
    }

    /// Returns the names of the values with a prefix, in order.
    package func valueNames(beginning prefix: String) async throws(EarshotError) -> [String] {
        try await read(by: prefix) { database in
            try String.fetchAll(
                database,
                sql: "SELECT name FROM value WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name",
                arguments: [prefix]
            )
        }
    }

    /// Keeps one; without a value it is forgotten.
    package func setValue(_ value: Data?, for name: String) async throws(EarshotError) {
        try await write(by: name) { database in
            if let value {
                try database.execute(
                    sql:
                        "INSERT INTO value (name, bytes) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes",
                    arguments: [name, value]
                )
            } else {
                try database.execute(sql: "DELETE FROM value WHERE name = ?", arguments: [name])
            }
        }
    }

    /// Keeps a value in place of the one that was read.
    package func replaceValue(
        _ old: Data?,
        with new: Data,
        for name: String
    ) async throws(EarshotError) -> Data? {
        try await write(by: name) { database in
            let kept = try Data.fetchOne(database, sql: "SELECT bytes FROM value WHERE name = ?", arguments: [name])
            guard kept == old else { return kept }
            try database.execute(
                sql: "INSERT OR REPLACE INTO value (name, bytes) VALUES (?, ?)",
                arguments: [name, new]
            )
            return new
        }
    }

    /// Gives and forgets one in a single step.
    package func takeValue(_ name: String) async throws(EarshotError) -> Data? {
        try await write(by: name) { database in
            let value = try Data.fetchOne(database, sql: "SELECT bytes FROM value WHERE name = ?", arguments: [name])
            try database.execute(sql: "DELETE FROM value WHERE name = ?", arguments: [name])
            return value
        }
    }

    // MARK: - Care

    /// Copies the store, as it is at one instant, to a file that is not there yet.
    ///
    /// - Throws: `destinationExists`, `writeFailed`.
    package func backup(to url: URL) async throws(EarshotError) {
        try await StoreDatabase.backup(database, to: url, progress: nil)
    }

    /// Puts a copy in the place of a store that nobody has open. What was there stays as it was when anything fails.
    ///
    /// - Throws: `storeDamaged` when the copy is damaged, `writeFailed`, `assetNotFound` when there is none.
    package static func restore(_ backup: URL, to url: URL) async throws(EarshotError) {
        try await StoreDatabase.restore(backup, to: url) { copy throws(EarshotError) in
            let store = try SQLiteAccountStore(url: copy)
            return try StoreDatabase.guarding(store.name) { try store.database.read(Self.faults) }
        }
    }

    /// Checks the store.
    ///
    /// - Returns: One sentence for each fault; none when all is well.
    package func check() async throws(EarshotError) -> [String] {
        try await read(Self.faults)
    }

    @Sendable
    private static func faults(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
}
