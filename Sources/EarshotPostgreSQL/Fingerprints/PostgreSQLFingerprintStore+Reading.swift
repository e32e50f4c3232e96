package import EarshotCore
package import EarshotFingerprints
package import Foundation

// MARK: - Fingerprints

extension PostgreSQLFingerprintStore {
    /// The columns that ``fingerprint(_:)-(PostgreSQLRow)`` reads, of a fingerprint `f` and its track `t`.
    static let columns = "f.number, t.id AS track, f.text, f.duration, f.submitter, f.created, f.submissions"

    static func fingerprint(_ row: PostgreSQLRow) throws -> StoredFingerprint {
        StoredFingerprint(
            number: UInt64(clamping: try row.required("number", row.integer)),
            track: try FingerprintRecord.id(try row.required("track", row.text)),
            text: try row.required("text", row.text),
            duration: try row.required("duration", row.integer),
            submitter: String(decoding: try row.required("submitter", row.bytes), as: UTF8.self),
            date: Date(timeIntervalSince1970: try row.required("created", row.double)),
            submissions: try row.required("submissions", row.integer)
        )
    }

    /// Returns a fingerprint; `nil` if there is none of this number.
    package func fingerprint(_ number: UInt64) async throws(EarshotError) -> StoredFingerprint? {
        try await fingerprints([number]).first
    }

    /// Returns the fingerprints with some numbers, in order of the numbers.
    package func fingerprints(_ numbers: [UInt64]) async throws(EarshotError) -> [StoredFingerprint] {
        let keys = numbers.compactMap { Int(exactly: $0) }
        return try await pool.read { connection in
            try connection.rows(
                """
                SELECT \(Self.columns) FROM fingerprint f JOIN fingerprint_track t ON t.pk = f.track
                WHERE f.number = ANY ($1) ORDER BY f.number
                """,
                PostgreSQLValue.integers(keys)
            ).map(Self.fingerprint)
        }
    }

    /// Returns the fingerprints of tracks, the oldest first, at most `limit` of each.
    package func fingerprints(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [StoredFingerprint] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT \(Self.columns) FROM (
                    SELECT coalesce(s.merged, s.pk) AS pk, min(asked.place) AS place
                    FROM unnest($1) WITH ORDINALITY AS asked (id, place) JOIN fingerprint_track s ON s.id = asked.id
                    GROUP BY 1
                ) AS meant JOIN fingerprint_track t ON t.pk = meant.pk
                CROSS JOIN LATERAL (SELECT * FROM fingerprint WHERE track = meant.pk ORDER BY number LIMIT $2) AS f
                ORDER BY meant.place, f.number
                """,
                PostgreSQLValue.texts(tracks.map(\.text)),
                max(0, limit)
            ).map(Self.fingerprint)
        }
    }

    /// Returns fingerprints behind a number, in order of numbers.
    package func fingerprints(
        after number: UInt64,
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [StoredFingerprint] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT \(Self.columns) FROM (
                    SELECT *, sum(octet_length(text)) OVER (ORDER BY number) - octet_length(text) AS bytes_before
                    FROM (SELECT * FROM fingerprint WHERE number > $1 ORDER BY number LIMIT $2) AS next
                ) AS f JOIN fingerprint_track t ON t.pk = f.track WHERE f.bytes_before < $3 ORDER BY f.number
                """,
                Int(clamping: number),
                max(0, limit),
                max(1, byteLimit)
            ).map(Self.fingerprint)
        }
    }
}

// MARK: - Tracks

extension PostgreSQLFingerprintStore {
    /// Returns the track that an id leads to; `nil` if there is none.
    package func track(_ id: UUID) async throws(EarshotError) -> UUID? {
        try await pool.read { connection in
            try connection.row(
                """
                SELECT t.id FROM fingerprint_track s JOIN fingerprint_track t ON t.pk = coalesce(s.merged, s.pk)
                WHERE s.id = $1
                """,
                id.text
            )?.text("id").map(FingerprintRecord.id)
        }
    }

    /// Returns the tracks of fingerprints.
    package func tracks(ofFingerprints numbers: [UInt64]) async throws(EarshotError) -> [UInt64: UUID] {
        let keys = numbers.compactMap { Int(exactly: $0) }
        return try await pool.read { connection in
            let rows = try connection.rows(
                """
                SELECT f.number, t.id FROM fingerprint f JOIN fingerprint_track t ON t.pk = f.track
                WHERE f.number = ANY ($1)
                """,
                PostgreSQLValue.integers(keys)
            )
            var tracks: [UInt64: UUID] = [:]
            for row in rows {
                let number = UInt64(clamping: try row.required("number", row.integer))
                tracks[number] = try FingerprintRecord.id(try row.required("id", row.text))
            }
            return tracks
        }
    }

    /// Returns the recordings that tracks were said to be, those with the most sources first and disabled ones behind all others.
    package func links(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [RecordingLink]] {
        try await pool.read { connection in
            let rows = try connection.rows(
                """
                SELECT asked.id, l.recording, l.disabled, l.sources
                FROM unnest($1) AS asked (id) JOIN fingerprint_track s ON s.id = asked.id
                CROSS JOIN LATERAL (
                    SELECT link.recording, link.disabled, (
                        SELECT count(*) FROM fingerprint_link_source source
                        WHERE source.track = link.track AND source.recording = link.recording
                    ) AS sources
                    FROM fingerprint_link link WHERE link.track = coalesce(s.merged, s.pk)
                    ORDER BY link.disabled, sources DESC, link.recording LIMIT $2
                ) AS l ORDER BY l.disabled, l.sources DESC, l.recording
                """,
                PostgreSQLValue.texts(Set(tracks).map(\.text)),
                max(0, limit)
            )
            return try Self.grouped(rows) { row in
                RecordingLink(
                    recording: try FingerprintRecord.id(try row.required("recording", row.text)),
                    sources: try row.required("sources", row.integer),
                    isDisabled: try row.required("disabled", row.bool)
                )
            }
        }
    }

    /// Returns the tracks that were said to be recordings, in order of ids.
    package func tracks(
        linkedTo recordings: [UUID],
        limit: Int
    ) async throws(EarshotError) -> [UUID: [(track: UUID, isDisabled: Bool)]] {
        try await pool.read { connection in
            let rows = try connection.rows(
                """
                SELECT asked.id, found.track, found.disabled FROM unnest($1) AS asked (id)
                CROSS JOIN LATERAL (
                    SELECT t.id AS track, l.disabled FROM fingerprint_link l JOIN fingerprint_track t ON t.pk = l.track
                    WHERE l.recording = asked.id ORDER BY t.id LIMIT $2
                ) AS found ORDER BY found.track
                """,
                PostgreSQLValue.texts(Set(recordings).map(\.text)),
                max(0, limit)
            )
            return try Self.grouped(rows) { row in
                (try FingerprintRecord.id(try row.required("track", row.text)), try row.required("disabled", row.bool))
            }
        }
    }

    /// Says that a link is wrong, or that it is right after all.
    package func setDisabled(
        _ isDisabled: Bool,
        recording: UUID,
        of track: UUID
    ) async throws(EarshotError) -> Bool {
        try await pool.write { connection in
            // Locked, because the track may be being merged into another one.
            try PostgreSQLFingerprintWriter(connection: connection).lock()
            return try connection.change(
                """
                UPDATE fingerprint_link SET disabled = $1 WHERE recording = $2
                AND track = (SELECT coalesce(merged, pk) FROM fingerprint_track WHERE id = $3)
                """,
                isDisabled,
                recording.text,
                track.text
            ) > 0
        }
    }

    /// Returns the texts that were written about tracks, that with the most sources first.
    package func metadata(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [SubmittedMetadata]] {
        try await pool.read { connection in
            let rows = try connection.rows(
                """
                SELECT asked.id, m.json FROM unnest($1) AS asked (id) JOIN fingerprint_track s ON s.id = asked.id
                CROSS JOIN LATERAL (
                    SELECT json, count(*) AS sources FROM fingerprint_metadata_source
                    WHERE track = coalesce(s.merged, s.pk) GROUP BY json ORDER BY sources DESC, json LIMIT $2
                ) AS m ORDER BY m.sources DESC, m.json
                """,
                PostgreSQLValue.texts(Set(tracks).map(\.text)),
                max(0, limit)
            )
            return try Self.grouped(rows) { row in
                try Self.value(SubmittedMetadata.self, try row.required("json", row.bytes))
            }
        }
    }

    /// Returns the identifiers that a track was said to have elsewhere, in order of the texts.
    package func foreignIDs(of track: UUID) async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            try connection.rows(
                """
                SELECT DISTINCT value FROM fingerprint_foreign_source
                WHERE track = (SELECT coalesce(merged, pk) FROM fingerprint_track WHERE id = $1) ORDER BY value
                """,
                track.text
            ).map { row in String(decoding: try row.required("value", row.bytes), as: UTF8.self) }
        }
    }

    /// Returns the numbers of fingerprints, tracks and links.
    package func counts() async throws(EarshotError) -> FingerprintCounts {
        try await pool.read { connection in
            let row = try connection.row(
                """
                SELECT (SELECT count(*) FROM fingerprint_track WHERE merged IS NULL) AS tracks,
                    (SELECT count(*) FROM fingerprint) AS fingerprints,
                    (SELECT count(*) FROM fingerprint_link) AS links,
                    (SELECT count(*) FROM fingerprint_submission WHERE state = 0) AS pending
                """
            )
            var counts = FingerprintCounts()
            guard let row else { return counts }
            counts.tracks = try row.required("tracks", row.integer)
            counts.fingerprints = try row.required("fingerprints", row.integer)
            counts.links = try row.required("links", row.integer)
            counts.pending = try row.required("pending", row.integer)
            return counts
        }
    }

    /// Returns the values of rows by the requested ids, in the order of the rows.
    private static func grouped<Value>(
        _ rows: [PostgreSQLRow],
        _ value: (PostgreSQLRow) throws -> Value
    ) throws -> [UUID: [Value]] {
        var groups: [UUID: [Value]] = [:]
        for row in rows {
            groups[try FingerprintRecord.id(try row.required("id", row.text)), default: []].append(try value(row))
        }
        return groups
    }
}
