package import EarshotCore
package import EarshotPieces
package import Foundation

// MARK: - Apps

extension PostgreSQLPieceStore {
    /// Returns all apps, in order of their identifiers.
    package func applications() async throws(EarshotError) -> [PieceApplication] {
        try await pool.read { connection in
            try connection.rows("SELECT json FROM piece_application ORDER BY id").map(Self.application)
        }
    }

    /// Returns an app; `nil` if there is none of this identifier.
    package func application(_ id: String) async throws(EarshotError) -> PieceApplication? {
        try await pool.read { connection in
            try connection.row("SELECT json FROM piece_application WHERE id = $1", id).map(Self.application)
        }
    }

    private static func application(_ row: PostgreSQLRow) throws -> PieceApplication {
        try PieceFields.value(PieceApplication.self, try row.required("json", row.text))
    }

    /// Keeps an app, in place of the one of the same identifier.
    package func put(_ application: PieceApplication) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO piece_application (id, json) VALUES ($1, $2)
                ON CONFLICT (id) DO UPDATE SET json = excluded.json
                """,
                application.id,
                try PieceFields.text(application)
            )
        }
    }

    /// Forgets an app.
    @discardableResult
    package func removeApplication(_ id: String) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.change("DELETE FROM piece_application WHERE id = $1", id) > 0
        }
    }
}

// MARK: - Codes

extension PostgreSQLPieceStore {
    /// The condition of a code that belongs to a client and has not expired.
    private static let isValid = "digest = $1 AND client = $2 AND expires > $3"
    /// The condition of a code that waits for a login. If two nodes change the code, the second one finds it changed.
    private static let isWaiting = "user_code = $1 AND author IS NULL AND NOT refused AND expires > $2"

    private static func code(_ row: PostgreSQLRow) throws -> LoginCode {
        LoginCode(
            digest: try row.required("digest", row.bytes),
            client: try row.required("client", row.text),
            author: try row.text("author"),
            userCode: try row.text("user_code"),
            challenge: try row.text("challenge"),
            expires: Date(timeIntervalSince1970: try row.required("expires", row.double)),
            isRefused: try row.required("refused", row.bool)
        )
    }

    /// Keeps a code, in place of the one of the same digest.
    package func put(_ code: LoginCode) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change(
                """
                INSERT INTO piece_login_code (digest, client, author, user_code, challenge, expires, refused)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (digest) DO UPDATE SET
                    client = excluded.client, author = excluded.author, user_code = excluded.user_code,
                    challenge = excluded.challenge, expires = excluded.expires, refused = excluded.refused
                """,
                code.digest,
                code.client,
                code.author,
                code.userCode,
                code.challenge,
                code.expires.timeIntervalSince1970,
                code.isRefused
            )
        }
    }

    /// Returns the code of a client that has not expired; `nil` if there is none. The code stays.
    package func code(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        try await pool.read { connection in
            try connection.row(
                "SELECT * FROM piece_login_code WHERE \(Self.isValid)",
                digest,
                client,
                now.timeIntervalSince1970
            ).map(Self.code)
        }
    }

    /// Returns and removes a code that an author has approved, atomically; `nil` if there is none.
    package func takeCode(_ digest: Data, client: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        try await pool.write { connection in
            try connection.row(
                "DELETE FROM piece_login_code WHERE \(Self.isValid) AND author IS NOT NULL RETURNING *",
                digest,
                client,
                now.timeIntervalSince1970
            ).map(Self.code)
        }
    }

    /// Returns the code with a user code that waits for a login; `nil` if there is none.
    package func waitingCode(userCode: String, at now: Date) async throws(EarshotError) -> LoginCode? {
        try await pool.read { connection in
            try connection.row(
                "SELECT * FROM piece_login_code WHERE \(Self.isWaiting)",
                userCode,
                now.timeIntervalSince1970
            ).map(Self.code)
        }
    }

    /// Refuses the code of what a person has typed in.
    package func refuse(userCode: String, at now: Date) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.change(
                "UPDATE piece_login_code SET refused = true WHERE \(Self.isWaiting)",
                userCode,
                now.timeIntervalSince1970
            ) > 0
        }
    }

    /// Says who has logged in for what a person has typed in.
    package func approve(userCode: String, author: String, at now: Date) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.change(
                "UPDATE piece_login_code SET author = $3 WHERE \(Self.isWaiting)",
                userCode,
                now.timeIntervalSince1970,
                author
            ) > 0
        }
    }

    /// Forgets codes that are worth nothing any more.
    package func removeCodes(expiredBy date: Date) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change("DELETE FROM piece_login_code WHERE expires <= $1", date.timeIntervalSince1970)
        }
    }

    /// Forgets codes for which an author has logged in, and which nobody has taken yet.
    package func removeCodes(ofAuthor author: String) async throws(EarshotError) {
        _ = try await pool.write { connection in
            try connection.change("DELETE FROM piece_login_code WHERE author = $1", author)
        }
    }
}
