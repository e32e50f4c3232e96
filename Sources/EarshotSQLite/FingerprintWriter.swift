import EarshotFingerprints
import Foundation
import GRDB

/// Carries out the decisions on submissions, within a transaction.
struct FingerprintWriter {
    let database: Database

    /// Returns the row of a track, or of the one into which it was merged; `nil` if there is none.
    static func row(_ id: UUID, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database,
            sql: "SELECT coalesce(merged, pk) FROM track WHERE id = ?",
            arguments: [id.text]
        )
    }

    func complete(_ number: Int, _ decision: FingerprintDecision) throws -> StoredFingerprint? {
        let json = try String.fetchOne(
            database,
            sql: "SELECT json FROM submission WHERE number = ? AND state = 0",
            arguments: [number]
        )
        guard let json else { return nil }
        let submission: FingerprintSubmission = try EntityJSON.value(json)
        let track: Int64
        var same: UInt64?
        switch decision {
        case .refuse:
            try database.execute(
                sql: "UPDATE submission SET state = 2, json = '' WHERE number = ?",
                arguments: [number]
            )
            return nil
        case .begin(let id):
            try database.execute(sql: "INSERT INTO track (id) VALUES (?)", arguments: [id.text])
            track = database.lastInsertedRowID
        case .join(let id, let likest, let absorbed):
            guard let row = try Self.row(id, database) else { throw FingerprintRecord.missing(id) }
            track = row
            same = likest
            for other in absorbed { try merge(other, into: track) }
        }
        let (fingerprint, added) = try keep(submission, track, same)
        try note(submission, track)
        // The content of the submission is in other tables now, so its JSON is removed.
        try database.execute(
            sql: "UPDATE submission SET state = 1, track = ?, fingerprint = ?, json = '' WHERE number = ?",
            arguments: [track, fingerprint, number]
        )
        return added
    }

    /// Stores a fingerprint, or counts it if the same one exists.
    ///
    /// - Returns: The number of the fingerprint, and the fingerprint if it is new.
    private func keep(
        _ submission: FingerprintSubmission,
        _ track: Int64,
        _ same: UInt64?
    ) throws -> (number: Int64, added: StoredFingerprint?) {
        if let same {
            try database.execute(
                sql: "UPDATE fingerprint SET submissions = submissions + 1 WHERE number = ? AND track = ?",
                arguments: [Int64(clamping: same), track]
            )
            if database.changesCount > 0 { return (Int64(clamping: same), nil) }
        }
        // Earlier versions noted in the column `indexed` which fingerprints the index had. It is not used any more.
        try database.execute(
            sql: """
                INSERT INTO fingerprint (track, text, duration, submitter, created, submissions, indexed)
                VALUES (?, ?, ?, ?, ?, 1, 0)
                """,
            arguments: [
                track, submission.fingerprint, submission.duration, submission.submitter,
                submission.date.timeIntervalSince1970,
            ]
        )
        let number = database.lastInsertedRowID
        return (number, try FingerprintRows.fingerprint(database, number))
    }

    /// Stores the recordings, texts and identifiers that a submission states for a track.
    private func note(_ submission: FingerprintSubmission, _ track: Int64) throws {
        let submitter = submission.submitter
        for recording in Set(submission.recordings).map(\.text) {
            try database.execute(
                sql: "INSERT OR IGNORE INTO link VALUES (?, ?, 0)",
                arguments: [track, recording]
            )
            try database.execute(
                sql: "INSERT OR IGNORE INTO link_source VALUES (?, ?, ?)",
                arguments: [track, recording, submitter]
            )
        }
        if let metadata = submission.metadata, !metadata.isEmpty {
            try database.execute(
                sql: "INSERT OR IGNORE INTO metadata_source VALUES (?, ?, ?)",
                arguments: [track, try EntityJSON.text(metadata), submitter]
            )
        }
        for value in submission.foreignIDs {
            try database.execute(
                sql: "INSERT OR IGNORE INTO foreign_source VALUES (?, ?, ?)",
                arguments: [track, value, submitter]
            )
        }
    }

    /// Merges a track into another one, to which its id leads from now on.
    private func merge(_ id: UUID, into target: Int64) throws {
        guard let source = try Self.row(id, database) else { throw FingerprintRecord.missing(id) }
        guard source != target else { return }
        let arguments: StatementArguments = ["target": target, "source": source]
        for table in ["link", "link_source", "metadata_source", "foreign_source"] {
            // If both tracks have the same row, that of the target stays.
            try database.execute(
                sql: "UPDATE OR IGNORE \(table) SET track = :target WHERE track = :source",
                arguments: arguments
            )
            try database.execute(sql: "DELETE FROM \(table) WHERE track = ?", arguments: [source])
        }
        for sql in [
            "UPDATE fingerprint SET track = :target WHERE track = :source",
            "UPDATE submission SET track = :target WHERE track = :source",
            "UPDATE track SET merged = :target WHERE pk = :source OR merged = :source",
        ] {
            try database.execute(sql: sql, arguments: arguments)
        }
    }
}
