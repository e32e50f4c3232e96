package import EarshotCore
import EarshotMusic
package import EarshotRecognition
package import Foundation

extension PostgreSQLAccountStore {
    /// Adds an entry to a user's history; of more than `limit` the oldest are removed.
    @discardableResult
    package func addHistory(
        of user: String,
        date: Date,
        kind: String,
        match: MusicMatch,
        limit: Int
    ) async throws(EarshotError) -> UserHistoryEntry {
        try await pool.write { connection in
            let row = try connection.row(
                "UPDATE client_user SET last_entry = last_entry + 1 WHERE id = $1 RETURNING last_entry",
                user
            )
            guard let id = try row?.integer("last_entry") else {
                throw EarshotError(.entityNotFound, "There is no user \(user): register it first.")
            }
            try connection.change(
                "INSERT INTO history (client_user, id, date, kind, match, words) VALUES ($1, $2, $3, $4, $5, $6)",
                user,
                id,
                date.timeIntervalSince1970,
                kind,
                try Self.text(match),
                HistoryWords.text(of: match)
            )
            // Removed entries leave gaps in the numbers, so the oldest entry to keep must be counted.
            try connection.change(
                """
                DELETE FROM history WHERE client_user = $1 AND id <= (
                    SELECT id FROM history WHERE client_user = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)
                """,
                user,
                limit
            )
            return UserHistoryEntry(id: id, date: date, kind: kind, match: match)
        }
    }

    /// Returns a part of a user's history, the latest first.
    package func history(
        of user: String,
        matching words: String?,
        offset: Int,
        limit: Int
    ) async throws(EarshotError) -> [UserHistoryEntry] {
        let sought = HistoryWords.sought(words)
        return try await pool.read { connection in
            try connection.rows(
                """
                SELECT id, date, kind, match, latitude, longitude, accuracy FROM history
                WHERE \(Self.condition) ORDER BY id DESC LIMIT $3 OFFSET $4
                """,
                user,
                PostgreSQLValue.texts(sought),
                limit,
                offset
            ).map { row in
                var place: HistoryPlace?
                if let latitude = try row.double("latitude"), let longitude = try row.double("longitude") {
                    place = HistoryPlace(
                        latitude: latitude,
                        longitude: longitude,
                        accuracy: try row.double("accuracy")
                    )
                }
                return UserHistoryEntry(
                    id: try row.required("id", row.integer),
                    date: Date(timeIntervalSince1970: try row.required("date", row.double)),
                    kind: try row.required("kind", row.text),
                    match: try Self.value(MusicMatch.self, row, "match"),
                    place: place
                )
            }
        }
    }

    /// The condition of entries of user `$1` that contain every text of `$2`. `strpos` has no wildcards, unlike `LIKE`.
    private static let condition =
        "client_user = $1 AND NOT EXISTS (SELECT FROM unnest($2) AS sought (word) WHERE strpos(words, word) = 0)"

    /// Returns the number of entries of a user's history, or of those with some words.
    package func historyCount(of user: String, matching words: String?) async throws(EarshotError) -> Int {
        let sought = HistoryWords.sought(words)
        return try await pool.read { connection in
            try connection.row(
                "SELECT count(*) AS count FROM history WHERE \(Self.condition)",
                user,
                PostgreSQLValue.texts(sought)
            )?
            .integer("count") ?? 0
        }
    }

    /// Puts a place with an entry of a user's history, in place of the one that it has.
    @discardableResult
    package func setHistoryPlace(
        _ place: HistoryPlace?,
        of user: String,
        entry: Int
    ) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            try connection.run(
                "UPDATE history SET latitude = $3, longitude = $4, accuracy = $5 WHERE client_user = $1 AND id = $2",
                [.text(user), .integer(entry)]
                    + [place?.latitude, place?.longitude, place?.accuracy].map { $0.map { .double($0) } ?? .null }
            ).changed > 0
        }
    }

    /// Removes a user's history, or one entry of it.
    package func removeHistory(of user: String, entry: Int?) async throws(EarshotError) {
        _ = try await pool.write { connection in
            if let entry {
                try connection.change("DELETE FROM history WHERE client_user = $1 AND id = $2", user, entry)
            } else {
                try connection.change("DELETE FROM history WHERE client_user = $1", user)
            }
        }
    }
}
