package import EarshotCore
import EarshotMusic
package import EarshotRecognition
package import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Adds columns for the places of users and for the words by which entries are found, and fills the words of present entries.
    static func addPlacesAndWords(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE history ADD COLUMN latitude REAL;
                ALTER TABLE history ADD COLUMN longitude REAL;
                ALTER TABLE history ADD COLUMN accuracy REAL;
                ALTER TABLE history ADD COLUMN words TEXT NOT NULL DEFAULT '';
                """
        )
        // One user at a time: all histories together may not fit in memory.
        for user in try String.fetchAll(database, sql: "SELECT DISTINCT user FROM history") {
            let sql = "SELECT id, match FROM history WHERE user = ?"
            for row in try Row.fetchAll(database, sql: sql, arguments: [user]) {
                // An entry that cannot be read is skipped: it must not prevent opening the store.
                guard let match = try? Self.value(MusicMatch.self, row["match"]) else { continue }
                let id: Int = row["id"]
                try database.execute(
                    sql: "UPDATE history SET words = ? WHERE user = ? AND id = ?",
                    arguments: [HistoryWords.text(of: match), user, id]
                )
            }
        }
    }

    /// Returns the condition of the entries of a user that contain some words, and its arguments.
    private static func condition(_ user: String, _ words: String?) -> (sql: String, arguments: StatementArguments) {
        // The words contain no U+0000, at which GRDB would cut a text: search keys leave it out.
        let sought = HistoryWords.sought(words)
        let sql = "user = ?" + String(repeating: " AND instr(words, ?) > 0", count: sought.count)
        return (sql, StatementArguments([user] + sought))
    }

    /// Adds an entry to a user's history; of more than `limit` the oldest are forgotten.
    @discardableResult
    package func addHistory(
        of user: String,
        date: Date,
        kind: String,
        match: MusicMatch,
        limit: Int
    ) async throws(EarshotError) -> UserHistoryEntry {
        try await write(by: user, kind) { database in
            try database.execute(sql: "UPDATE user SET lastEntry = lastEntry + 1 WHERE id = ?", arguments: [user])
            guard let id = try Int.fetchOne(database, sql: "SELECT lastEntry FROM user WHERE id = ?", arguments: [user])
            else { throw EarshotError(.entityNotFound, "There is no user \(user): register it first.") }
            try database.execute(
                sql: "INSERT INTO history (user, id, date, kind, match, words) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    user, id, date.timeIntervalSince1970, kind, try Self.text(match), HistoryWords.text(of: match),
                ]
            )
            // Removed entries leave gaps in the numbers, so the oldest entry to keep must be counted.
            try database.execute(
                sql: """
                    DELETE FROM history WHERE user = ?1 AND id <= (
                        SELECT id FROM history WHERE user = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """,
                arguments: [user, limit]
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
        let (condition, arguments) = Self.condition(user, words)
        return try await read(by: user) { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, date, kind, match, latitude, longitude, accuracy FROM history
                    WHERE \(condition) ORDER BY id DESC LIMIT ? OFFSET ?
                    """,
                arguments: arguments + [limit, offset]
            ).map { row in
                var place: HistoryPlace?
                if let latitude: Double = row["latitude"], let longitude: Double = row["longitude"] {
                    place = HistoryPlace(latitude: latitude, longitude: longitude, accuracy: row["accuracy"])
                }
                return UserHistoryEntry(
                    id: row["id"],
                    date: Date(timeIntervalSince1970: row["date"]),
                    kind: row["kind"],
                    match: try Self.value(MusicMatch.self, row["match"]),
                    place: place
                )
            }
        }
    }

    /// Returns the number of entries of a user's history, or of those with some words.
    package func historyCount(of user: String, matching words: String?) async throws(EarshotError) -> Int {
        let (condition, arguments) = Self.condition(user, words)
        return try await read(by: user) { database in
            try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM history WHERE \(condition)",
                arguments: arguments
            ) ?? 0
        }
    }

    /// Puts a place with an entry of a user's history, in place of the one that it has.
    @discardableResult
    package func setHistoryPlace(
        _ place: HistoryPlace?,
        of user: String,
        entry: Int
    ) async throws(EarshotError) -> Bool {
        try await write(by: user) { database in
            try database.execute(
                sql: "UPDATE history SET latitude = ?, longitude = ?, accuracy = ? WHERE user = ? AND id = ?",
                arguments: [place?.latitude, place?.longitude, place?.accuracy, user, entry]
            )
            return database.changesCount > 0
        }
    }

    /// Forgets a user's history, or one entry of it.
    package func removeHistory(of user: String, entry: Int?) async throws(EarshotError) {
        try await write(by: user) { database in
            if let entry {
                try database.execute(sql: "DELETE FROM history WHERE user = ? AND id = ?", arguments: [user, entry])
            } else {
                try database.execute(sql: "DELETE FROM history WHERE user = ?", arguments: [user])
            }
        }
    }
}
