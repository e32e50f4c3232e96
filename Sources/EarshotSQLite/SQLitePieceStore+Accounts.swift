package import EarshotCore
package import EarshotPieces
package import Foundation
import GRDB

// MARK: - Authors

extension SQLitePieceStore {
    /// Returns an author; `nil` if there is none of this identifier.
    package func author(_ id: String) async throws(EarshotError) -> PieceAuthor? {
        try await author("SELECT * FROM author WHERE id = ?", id)
    }

    /// Returns the existing ones of some authors, by their identifiers.
    package func authors(_ ids: [String]) async throws(EarshotError) -> [String: PieceAuthor] {
        try await read { database in
            var found: [String: PieceAuthor] = [:]
            for id in Set(ids) {
                let row = try Row.fetchOne(database, sql: "SELECT * FROM author WHERE id = ?", arguments: [id])
                if let row { found[id] = try Self.author(row) }
            }
            return found
        }
    }

    /// Returns the author of a name, in any letter case.
    package func author(named key: String) async throws(EarshotError) -> PieceAuthor? {
        try await author("SELECT * FROM author WHERE key = ?", key)
    }

    /// Returns the author that a user publishes as.
    package func author(ofUser user: String) async throws(EarshotError) -> PieceAuthor? {
        try await author("SELECT * FROM author WHERE id = (SELECT author FROM author_user WHERE user = ?)", user)
    }

    private func author(_ sql: String, _ text: String) async throws(EarshotError) -> PieceAuthor? {
        try await read(by: text) { try Row.fetchOne($0, sql: sql, arguments: [text]).map { try Self.author($0) } }
    }

    private static func author(_ row: Row) throws -> PieceAuthor {
        PieceAuthor(
            id: row["id"],
            name: try AuthorName(row["name"]),
            password: row["password"],
            created: Date(timeIntervalSince1970: row["created"])
        )
    }

    /// Keeps an author, in place of the one of the same identifier.
    package func put(_ author: PieceAuthor) async throws(EarshotError) -> Bool {
        try await write(by: author.id, author.name.text) { try Self.put(author, $0) }
    }

    private static func put(_ author: PieceAuthor, _ database: Database) throws -> Bool {
        let other = try String.fetchOne(
            database,
            sql: "SELECT id FROM author WHERE key = ? AND id <> ?",
            arguments: [author.name.key, author.id]
        )
        guard other == nil else { return false }
        try database.execute(
            sql: """
                INSERT INTO author (id, key, name, password, created) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET key = excluded.key, name = excluded.name, password = excluded.password
                """,
            arguments: [
                author.id, author.name.key, author.name.text, author.password,
                author.created.timeIntervalSince1970,
            ]
        )
        return true
    }

    /// Changes an author, as one step that nobody else's change comes between.
    package func updateAuthor(
        _ id: String,
        _ body: @escaping @Sendable (inout PieceAuthor) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceAuthor? {
        try await write(by: id) { database in
            let row = try Row.fetchOne(database, sql: "SELECT * FROM author WHERE id = ?", arguments: [id])
            guard var author = try row.map(Self.author) else { throw EarshotError.noAuthor(id) }
            try body(&author)
            return try Self.put(author, database) ? author : nil
        }
    }

    /// Returns the users that publish as an author, in order of their identifiers.
    package func users(ofAuthor author: String) async throws(EarshotError) -> [String] {
        try await read(by: author) { database in
            try String.fetchAll(
                database,
                sql: "SELECT user FROM author_user WHERE author = ? ORDER BY user",
                arguments: [author]
            )
        }
    }

    /// Lets a user publish as an author.
    package func setAuthor(_ author: String?, ofUser user: String) async throws(EarshotError) {
        try await write(by: user, author ?? "") { database in
            guard let author else {
                return try database.execute(sql: "DELETE FROM author_user WHERE user = ?", arguments: [user])
            }
            try Self.set(author, ofUser: user, database)
        }
    }

    private static func set(_ author: String, ofUser user: String, _ database: Database) throws {
        try database.execute(
            sql:
                "INSERT INTO author_user (user, author) VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET author = excluded.author",
            arguments: [user, author]
        )
    }

    /// Lets a user publish as an author, if the author's users are exactly the known ones, atomically.
    ///
    /// - Returns: `false` if the author's users have changed; then nothing is changed.
    /// - Throws: `entityNotFound` if there is no such author.
    package func addUser(
        _ user: String,
        toAuthor author: String,
        whoHas known: [String]
    ) async throws(EarshotError) -> Bool {
        try await write(by: user, author) { database in
            guard try Bool.fetchOne(database, sql: "SELECT 1 FROM author WHERE id = ?", arguments: [author]) != nil
            else {
                throw EarshotError.noAuthor(author)
            }
            let users = try String.fetchAll(
                database,
                sql: "SELECT user FROM author_user WHERE author = ? ORDER BY user",
                arguments: [author]
            )
            guard users == known else { return false }
            try Self.set(author, ofUser: user, database)
            return true
        }
    }
}

extension SQLitePieceStore {
    /// Removes an author with all pieces.
    package func removeAuthor(_ id: String) async throws(EarshotError) -> [PieceID]? {
        try await write { database in
            try database.execute(sql: "DELETE FROM author WHERE id = ?", arguments: [id])
            guard database.changesCount > 0 else { return nil }
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT \(PieceRows.columns) FROM piece WHERE author = ? AND state <> 'removed'",
                arguments: [id]
            )
            var removed: [PieceID] = []
            for row in rows {
                let piece = try PieceRows.record(database, row)
                try PieceRows.remove(database, piece, row["pk"])
                removed.append(piece.id)
            }
            for table in ["author_user", "login_code"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE author = ?", arguments: [id])
            }
            return removed
        }
    }
}

// MARK: - Apps and codes

extension SQLitePieceStore {
    /// Returns all apps, in order of their identifiers.
    package func applications() async throws(EarshotError) -> [PieceApplication] {
        try await read { database in
            try String.fetchAll(database, sql: "SELECT json FROM application ORDER BY id")
                .map { try PieceFields.value(PieceApplication.self, $0) }
        }
    }

    /// Returns an app; `nil` if there is none of this identifier.
    package func application(_ id: String) async throws(EarshotError) -> PieceApplication? {
        try await read(by: id) { database in
            try String.fetchOne(database, sql: "SELECT json FROM application WHERE id = ?", arguments: [id])
                .map { try PieceFields.value(PieceApplication.self, $0) }
        }
    }

    /// Keeps an app, in place of the one of the same identifier.
    package func put(_ application: PieceApplication) async throws(EarshotError) {
        try await write(by: application.id) { database in
            try database.execute(
                sql:
                    "INSERT INTO application (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json",
                arguments: [application.id, try PieceFields.text(application)]
            )
        }
    }

    /// Forgets an app.
    @discardableResult
    package func removeApplication(_ id: String) async throws(EarshotError) -> Bool {
        try await write(by: id) { database in
            try database.execute(sql: "DELETE FROM application WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    /// Keeps a code.
    package func put(_ code: LoginCode) async throws(EarshotError) {
        try await write(by: code.client, code.userCode ?? "", code.author ?? "") { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO login_code (digest, client, author, userCode, challenge, expires, refused)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    code.digest, code.client, code.author, code.userCode, code.challenge,
                    code.expires.timeIntervalSince1970, code.isRefused,
                ]
            )
        }
    }

    private static func code(_ database: Database, _ digest: Data, _ client: String, _ now: Date) throws -> LoginCode? {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT * FROM login_code WHERE digest = ? AND client = ? AND expires > ?",
            arguments: [digest, client, now.timeIntervalSince1970]
        )
        return row.map(Self.code)
    }

    private static func code(_ row: Row) -> LoginCode {
        LoginCode(
            digest: row["digest"],
            client: row["client"],
            author: row["author"],
            userCode: row["userCode"],
            challenge: row["challenge"],
            expires: Date(timeIntervalSince1970: row["expires"]),
            isRefused: row["refused"]
        )
    }

    /// The condition of a code that waits for a login.
    private static let isWaiting = "userCode = ? AND author IS NULL AND NOT refused AND expires > ?"

    /// Returns the code of a client that has not expired; `nil` if there is none. The code stays.
    package func code(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        try await read(by: client) { try Self.code($0, digest, client, now) }
    }

    /// Returns and removes a code that an author has approved, atomically; `nil` if there is none.
    package func takeCode(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        try await write(by: client) { database in
            guard let code = try Self.code(database, digest, client, now), code.author != nil else { return nil }
            try database.execute(sql: "DELETE FROM login_code WHERE digest = ?", arguments: [digest])
            return code
        }
    }

    /// Returns the code with a user code that waits for a login; `nil` if there is none.
    package func waitingCode(userCode: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        try await read(by: userCode) { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM login_code WHERE \(Self.isWaiting)",
                arguments: [userCode, now.timeIntervalSince1970]
            ).map(Self.code)
        }
    }

    /// Refuses the code of what a person has typed in.
    package func refuse(userCode: String, at now: Date) async throws(EarshotError) -> Bool {
        try await write(by: userCode) { database in
            try database.execute(
                sql: "UPDATE login_code SET refused = 1 WHERE \(Self.isWaiting)",
                arguments: [userCode, now.timeIntervalSince1970]
            )
            return database.changesCount > 0
        }
    }

    /// Says who has logged in for what a person has typed in.
    package func approve(userCode: String, author: String, at now: Date) async throws(EarshotError) -> Bool {
        try await write(by: userCode, author) { database in
            try database.execute(
                sql: "UPDATE login_code SET author = ? WHERE \(Self.isWaiting)",
                arguments: [author, userCode, now.timeIntervalSince1970]
            )
            return database.changesCount > 0
        }
    }

    /// Forgets codes that are worth nothing any more.
    package func removeCodes(expiredBy date: Date) async throws(EarshotError) {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM login_code WHERE expires <= ?",
                arguments: [date.timeIntervalSince1970]
            )
        }
    }

    /// Forgets codes for which an author has logged in, and which nobody has taken yet.
    package func removeCodes(ofAuthor author: String) async throws(EarshotError) {
        try await write { database in
            try database.execute(sql: "DELETE FROM login_code WHERE author = ?", arguments: [author])
        }
    }
}

// MARK: - Care

extension SQLitePieceStore {
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
            let store = try SQLitePieceStore(url: copy)
            return try StoreDatabase.guarding(store.name) { try store.database.read(Self.faults) }
        }
    }

    /// Checks the store.
    ///
    /// - Returns: One sentence for each fault; none when all is well.
    package func check() async throws(EarshotError) -> [String] { try await read(Self.faults) }

    @Sendable
    private static func faults(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
}
