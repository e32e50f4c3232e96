package import EarshotCore
package import EarshotFingerprints
package import Foundation
import GRDB

/// Fingerprints and their tracks in an SQLite database: one file, no server.
///
/// Only its owner can read the file. Several programs may use it at the same time.
package final class SQLiteFingerprintStore: FingerprintTrackStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one that only its owner may read.
    ///
    /// - Parameter url: A file; beside it SQLite keeps two more, with `-wal` and `-shm` behind its name.
    /// - Throws: `storeDamaged` for a file that is no store of fingerprints, is damaged or of a newer version,
    ///   `storeUnavailable` when it cannot be opened, `writeFailed` when it cannot be made.
    package convenience init(url: URL) throws(EarshotError) {
        try self.init(try StoreDatabase.pool(at: url), name: url.path)
    }

    /// Returns a store in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    package static func inMemory() throws(EarshotError) -> SQLiteFingerprintStore {
        let name = "a store of fingerprints in memory"
        return try SQLiteFingerprintStore(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.guarding(name) { try database.write { try FingerprintSchema.check($0, name) } }
        try StoreDatabase.migrate(database, FingerprintSchema.migrator, named: name)
    }

    /// Returns the identifier of this store, which no other store has.
    package func id() async throws(EarshotError) -> UUID {
        try await read { database in
            try FingerprintRecord.id(try String.fetchOne(database, sql: "SELECT id FROM store") ?? "")
        }
    }

    // MARK: - Care

    /// Copies the store to a file that is not there yet, as it is at one instant.
    ///
    /// - Throws: `destinationExists`, `writeFailed`.
    package func backup(
        to url: URL,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(EarshotError) {
        try await StoreDatabase.backup(database, to: url, progress: progress)
    }

    /// Puts a copy in the place of a store that nobody has open. What was there stays as it was when anything fails.
    ///
    /// The store has another ``id()`` from then on, so that an index of what was there is not taken for its own.
    ///
    /// - Throws: `storeDamaged` when the copy is damaged, `writeFailed`, `assetNotFound` when there is none.
    package static func restore(_ backup: URL, to url: URL) async throws(EarshotError) {
        try await StoreDatabase.restore(backup, to: url) { copy throws(EarshotError) in
            let store = try SQLiteFingerprintStore(url: copy)
            return try StoreDatabase.guarding(store.name) {
                // A new id: numbers that were given since the backup will be given again, so indexes must be made anew.
                try store.database.write { database in
                    try database.execute(sql: "UPDATE store SET id = ?", arguments: [UUID().text])
                }
                return try store.database.read(faults)
            }
        }
    }

    /// Looks for damage: one sentence for each fault, none for a store that is well.
    package func check() async throws(EarshotError) -> [String] {
        try await read(Self.faults)
    }

    @Sendable
    private static func faults(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }
}

// MARK: - Submissions

extension SQLiteFingerprintStore {
    /// Keeps submissions, all of them or none.
    package func submit(_ submissions: [FingerprintSubmission]) async throws(EarshotError) -> [Int] {
        guard !submissions.isEmpty else { return [] }
        return try await write { database in
            try submissions.map { submission in
                try database.execute(
                    sql: "INSERT INTO submission (state, json) VALUES (0, ?)",
                    arguments: [try EntityJSON.text(submission)]
                )
                return Int(database.lastInsertedRowID)
            }
        }
    }

    /// Returns the states of submissions, by their numbers; unknown numbers are left out.
    package func states(
        ofSubmissions numbers: [Int],
        indexedThrough position: UInt64
    ) async throws(EarshotError) -> [Int: FingerprintSubmission.State] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT s.state AS state, t.id AS track, s.fingerprint AS fingerprint FROM submission s
                    LEFT JOIN track t ON t.pk = s.track WHERE s.number = ?
                    """
            )
            var states: [Int: FingerprintSubmission.State] = [:]
            for number in numbers {
                guard let row = try Row.fetchOne(statement, arguments: [number]) else { continue }
                states[number] = FingerprintRecord.state(
                    row["state"],
                    track: try (row["track"] as String?).map(FingerprintRecord.id),
                    fingerprint: row["fingerprint"],
                    indexedThrough: position
                )
            }
            return states
        }
    }

    /// Returns the submissions that wait, the oldest first.
    package func pendingSubmissions(
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [(number: Int, submission: FingerprintSubmission)] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT number, json FROM submission WHERE state = 0 ORDER BY number LIMIT ?",
                arguments: [max(0, limit)]
            )
            var found: [(number: Int, submission: FingerprintSubmission)] = []
            var bytes = 0
            while bytes < max(1, byteLimit), let row = try rows.next() {
                let json: String = row["json"]
                bytes += json.utf8.count
                found.append((row["number"], try EntityJSON.value(json)))
            }
            return found
        }
    }

    /// Does with a submission that waits what was decided.
    package func complete(
        submission number: Int,
        _ decision: FingerprintDecision
    ) async throws(EarshotError) -> StoredFingerprint? {
        try await write { try FingerprintWriter(database: $0).complete(number, decision) }
    }
}
