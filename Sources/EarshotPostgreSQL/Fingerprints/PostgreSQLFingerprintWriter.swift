import EarshotCore
import EarshotFingerprints
import Foundation

/// Carries out the decisions on submissions, within a transaction.
struct PostgreSQLFingerprintWriter {
    let connection: PostgreSQLConnection

    /// Locks the store until the transaction ends, so that changes of tracks and fingerprints are made one after another on all nodes.
    func lock() throws { try connection.rows("SELECT id FROM fingerprint_store FOR UPDATE") }

    func complete(_ number: Int, _ decision: FingerprintDecision) throws -> StoredFingerprint? {
        if decision == .refuse {
            try connection.change(
                "UPDATE fingerprint_submission SET state = 2, json = '' WHERE number = $1 AND state = 0",
                number
            )
            return nil
        }
        try lock()
        let row = try connection.row(
            "SELECT json FROM fingerprint_submission WHERE number = $1 AND state = 0 FOR UPDATE",
            number
        )
        guard let json = try row?.text("json") else { return nil }
        let submission = try PostgreSQLFingerprintStore.value(FingerprintSubmission.self, Data(json.utf8))
        guard let track = try track(of: decision) else { return nil }
        var same: UInt64?
        if case .join(_, let likest, _) = decision { same = likest }
        let (fingerprint, added) = try keep(submission, track, same)
        try note(submission, track)
        // The content of the submission is in other tables now, so its JSON is removed.
        try connection.change(
            "UPDATE fingerprint_submission SET state = 1, track = $2, fingerprint = $3, json = '' WHERE number = $1",
            number,
            track,
            fingerprint
        )
        return added
    }

    /// Returns the row of the track of a decision, after creating or merging tracks; `nil` if the submission is refused.
    private func track(of decision: FingerprintDecision) throws -> Int? {
        switch decision {
        case .refuse: return nil
        case .begin(let id):
            return try connection.row("INSERT INTO fingerprint_track (id) VALUES ($1) RETURNING pk", id.text)?
                .integer("pk")
        case .join(let id, _, let absorbed):
            let ids = [id] + absorbed
            let rows = try connection.rows(
                """
                SELECT coalesce(t.merged, t.pk) AS pk FROM unnest($1) WITH ORDINALITY AS asked (id, place)
                LEFT JOIN fingerprint_track t ON t.id = asked.id ORDER BY place
                """,
                PostgreSQLValue.texts(ids.map(\.text))
            )
            let tracks = try zip(ids, rows).map { id, row in
                guard let track = try row.integer("pk") else { throw FingerprintRecord.missing(id) }
                return track
            }
            let sources = tracks.filter { $0 != tracks.first }
            if let target = tracks.first, !sources.isEmpty { try merge(sources, into: target) }
            return tracks.first
        }
    }

    /// Stores a fingerprint, or counts it if the same one exists.
    ///
    /// - Returns: The number of the fingerprint, and the fingerprint if it is new.
    private func keep(
        _ submission: FingerprintSubmission,
        _ track: Int,
        _ same: UInt64?
    ) throws -> (number: Int, added: StoredFingerprint?) {
        if let number = same.map({ Int(clamping: $0) }) {
            let counted = try connection.change(
                "UPDATE fingerprint SET submissions = submissions + 1 WHERE number = $1 AND track = $2",
                number,
                track
            )
            if counted > 0 { return (number, nil) }
        }
        let row = try connection.row(
            """
            WITH given AS (UPDATE fingerprint_store SET last_number = last_number + 1 RETURNING last_number), f AS (
                INSERT INTO fingerprint (number, track, text, duration, submitter, created, submissions)
                SELECT last_number, $1, $2, $3, $4, $5, 1 FROM given RETURNING *
            )
            SELECT \(PostgreSQLFingerprintStore.columns) FROM f JOIN fingerprint_track t ON t.pk = f.track
            """,
            track,
            submission.fingerprint,
            submission.duration,
            Data(submission.submitter.utf8),
            submission.date.timeIntervalSince1970
        )
        guard let row else {
            throw EarshotError(.storeDamaged, "The store of fingerprints has no id: restore it from a backup.")
        }
        return (try row.required("number", row.integer), try PostgreSQLFingerprintStore.fingerprint(row))
    }

    /// Stores the recordings, texts and identifiers that a submission states for a track.
    private func note(_ submission: FingerprintSubmission, _ track: Int) throws {
        let submitter = Data(submission.submitter.utf8)
        if !submission.recordings.isEmpty {
            let recordings = PostgreSQLValue.texts(Set(submission.recordings).map(\.text))
            try connection.change(
                """
                INSERT INTO fingerprint_link (track, recording) SELECT $1, recording FROM unnest($2) AS said (recording)
                ON CONFLICT DO NOTHING
                """,
                track,
                recordings
            )
            try connection.change(
                """
                INSERT INTO fingerprint_link_source (track, recording, submitter)
                SELECT $1, recording, $3 FROM unnest($2) AS said (recording) ON CONFLICT DO NOTHING
                """,
                track,
                recordings,
                submitter
            )
        }
        if let metadata = submission.metadata, !metadata.isEmpty {
            try connection.change(
                """
                INSERT INTO fingerprint_metadata_source (track, json, submitter) VALUES ($1, $2, $3)
                ON CONFLICT DO NOTHING
                """,
                track,
                Data(try JSONEncoder.sorted().text(metadata).utf8),
                submitter
            )
        }
        for value in submission.foreignIDs {
            try connection.change(
                """
                INSERT INTO fingerprint_foreign_source (track, value, submitter) VALUES ($1, $2, $3)
                ON CONFLICT DO NOTHING
                """,
                track,
                Data(value.utf8),
                submitter
            )
        }
    }

    /// Merges tracks into another one, to which their ids lead from now on.
    private func merge(_ sources: [Int], into target: Int) throws {
        for (table, columns) in [
            ("link", "recording, disabled"), ("link_source", "recording, submitter"),
            ("metadata_source", "json, submitter"), ("foreign_source", "value, submitter"),
        ] {
            // If several tracks have the same row, that of the target stays, or else that of the first source.
            try connection.change(
                """
                WITH moved AS (DELETE FROM fingerprint_\(table) WHERE track = ANY ($2) RETURNING track, \(columns))
                INSERT INTO fingerprint_\(table) (track, \(columns))
                SELECT $1, \(columns) FROM moved ORDER BY array_position($2, track) ON CONFLICT DO NOTHING
                """,
                target,
                PostgreSQLValue.integers(sources)
            )
        }
        for sql in [
            "UPDATE fingerprint SET track = $1 WHERE track = ANY ($2)",
            "UPDATE fingerprint_submission SET track = $1 WHERE track = ANY ($2)",
            "UPDATE fingerprint_track SET merged = $1 WHERE pk = ANY ($2) OR merged = ANY ($2)",
        ] {
            try connection.change(sql, target, PostgreSQLValue.integers(sources))
        }
    }
}
