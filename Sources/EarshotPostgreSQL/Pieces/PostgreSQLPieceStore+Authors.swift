package import EarshotCore
package import EarshotPieces
import Foundation

extension PostgreSQLPieceStore {
    /// Returns an author; `nil` if there is none of this identifier.
    package func author(_ id: String) async throws(EarshotError) -> PieceAuthor? { try await author("id = $1", id) }

    /// Returns the existing ones of some authors, by their identifiers.
    package func authors(_ ids: [String]) async throws(EarshotError) -> [String: PieceAuthor] {
        try await pool.read { connection in
            let authors = try connection.rows(
                "SELECT * FROM piece_author WHERE id = ANY ($1)",
                PostgreSQLValue.texts(ids)
            ).map(Self.author)
            return Dictionary(authors.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the author of a name, in any letter case.
    package func author(named key: String) async throws(EarshotError) -> PieceAuthor? {
        try await author("key = $1", key)
    }

    /// Returns the author that a user publishes as.
    package func author(ofUser user: String) async throws(EarshotError) -> PieceAuthor? {
        try await author("id = (SELECT u.author FROM piece_author_user u WHERE u.id = $1)", user)
    }

    private func author(_ condition: String, _ parameter: String) async throws(EarshotError) -> PieceAuthor? {
        try await pool.read { connection in
            try connection.row("SELECT * FROM piece_author WHERE \(condition)", parameter).map(Self.author)
        }
    }

    private static func author(_ row: PostgreSQLRow) throws -> PieceAuthor {
        PieceAuthor(
            id: try row.required("id", row.text),
            name: try AuthorName(try row.required("name", row.text)),
            password: try row.bytes("password"),
            created: Date(timeIntervalSince1970: try row.required("created", row.double))
        )
    }

    // MARK: - Changes

    /// Keeps an author, in place of the one of the same identifier.
    package func put(_ author: PieceAuthor) async throws(EarshotError) -> Bool {
        try await unlessTaken(false) { connection in try Self.put(author, connection) }
    }

    private static func put(_ author: PieceAuthor, _ connection: PostgreSQLConnection) throws -> Bool {
        // The unique index would refuse the name too, but with an error in the server's log each time.
        let other = try connection.row(
            "SELECT id FROM piece_author WHERE key = $1 AND id <> $2",
            author.name.key,
            author.id
        )
        guard other == nil else { return false }
        try connection.change(
            """
            INSERT INTO piece_author (id, key, name, password, created) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET key = excluded.key, name = excluded.name, password = excluded.password
            """,
            author.id,
            author.name.key,
            author.name.text,
            author.password,
            author.created.timeIntervalSince1970
        )
        return true
    }

    /// Changes authors in a transaction. If another node takes the name between the check and the commit, nothing is changed.
    ///
    /// - Returns: The value of the work; `taken` if another author has the name.
    private func unlessTaken<Value: Sendable>(
        _ taken: Value,
        _ work: @escaping @Sendable (PostgreSQLConnection) throws -> Value
    ) async throws(EarshotError) -> Value {
        do throws(EarshotError) {
            return try await pool.write(work)
        } catch {
            // `unique_violation`: of the unique columns, only the key of a name can conflict here.
            guard let failure = error.cause as? PostgreSQLFailure, failure.state == "23505" else { throw error }
            return taken
        }
    }

    /// Changes an author, as one step that nobody else's change comes between. The body may run twice.
    package func updateAuthor(
        _ id: String,
        _ body: @escaping @Sendable (inout PieceAuthor) throws(EarshotError) -> Void
    ) async throws(EarshotError) -> PieceAuthor? {
        try await unlessTaken(nil) { connection in
            let row = try connection.row("SELECT * FROM piece_author WHERE id = $1 FOR UPDATE", id)
            guard var author = try row.map(Self.author) else { throw EarshotError.noAuthor(id) }
            try body(&author)
            return try Self.put(author, connection) ? author : nil
        }
    }

    /// Returns the users that publish as an author, in order of their identifiers.
    package func users(ofAuthor author: String) async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            try connection.rows("SELECT id FROM piece_author_user WHERE author = $1 ORDER BY id", author)
                .map { row in try row.required("id", row.text) }
        }
    }

    /// Lets a user publish as an author; `nil` forgets whom the user published as.
    package func setAuthor(_ author: String?, ofUser user: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            guard let author else { return try connection.change("DELETE FROM piece_author_user WHERE id = $1", user) }
            return try Self.set(author, ofUser: user, connection)
        }
    }

    @discardableResult
    private static func set(
        _ author: String,
        ofUser user: String,
        _ connection: PostgreSQLConnection
    ) throws -> Int {
        try connection.change(
            """
            INSERT INTO piece_author_user (id, author) VALUES ($1, $2)
            ON CONFLICT (id) DO UPDATE SET author = excluded.author
            """,
            user,
            author
        )
    }

    /// Lets a user publish as an author who has those users that are known.
    package func addUser(
        _ user: String,
        toAuthor author: String,
        whoHas known: [String]
    ) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            // Locks the author: another node that adds a user waits, and then finds this one.
            guard try connection.row("SELECT id FROM piece_author WHERE id = $1 FOR UPDATE", author) != nil else {
                throw EarshotError.noAuthor(author)
            }
            let users = try connection.rows("SELECT id FROM piece_author_user WHERE author = $1 ORDER BY id", author)
            guard try users.map({ row in try row.required("id", row.text) }) == known else { return false }
            try Self.set(author, ofUser: user, connection)
            return true
        }
    }

    /// Removes an author with all pieces.
    package func removeAuthor(_ id: String) async throws(EarshotError) -> [PieceID]? {
        try await pool.write { connection in
            guard try connection.change("DELETE FROM piece_author WHERE id = $1", id) > 0 else { return nil }
            for table in ["piece_author_user", "piece_login_code"] {
                try connection.change("DELETE FROM \(table) WHERE author = $1", id)
            }
            let rows = try connection.rows(
                "SELECT pk, id FROM piece WHERE author = $1 AND state <> 'removed' ORDER BY pk FOR NO KEY UPDATE",
                id
            )
            let removed = try rows.map { try PostgreSQLPieceRows.identifier($0) }
            try PostgreSQLPieceWriter(connection: connection)
                .remove(try rows.map { row in try row.required("pk", row.integer) })
            return removed
        }
    }
}
