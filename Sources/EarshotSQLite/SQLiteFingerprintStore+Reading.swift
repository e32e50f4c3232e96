package import EarshotCore
package import EarshotFingerprints
package import Foundation
import GRDB

// MARK: - Fingerprints

extension SQLiteFingerprintStore {
    /// Returns a fingerprint; `nil` if there is none of this number.
    package func fingerprint(_ number: UInt64) async throws(EarshotError) -> StoredFingerprint? {
        guard let number = Int64(exactly: number) else { return nil }
        return try await read { try FingerprintRows.fingerprint($0, number) }
    }

    /// Returns the fingerprints with some numbers, in order of the numbers.
    package func fingerprints(_ numbers: [UInt64]) async throws(EarshotError) -> [StoredFingerprint] {
        try await read { database in
            try Set(numbers).sorted().compactMap { number in
                try Int64(exactly: number).flatMap { try FingerprintRows.fingerprint(database, $0) }
            }
        }
    }

    /// Returns the fingerprints of tracks, the oldest first, at most `limit` of each.
    package func fingerprints(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [StoredFingerprint] {
        try await read { database in
            var seen: Set<Int64> = []
            let rows = try tracks.compactMap { try FingerprintWriter.row($0, database) }
            return try rows.filter { seen.insert($0).inserted }.flatMap { row in
                try Row.fetchAll(
                    database,
                    sql: "SELECT \(FingerprintRows.columns) WHERE f.track = ? ORDER BY f.number LIMIT ?",
                    arguments: [row, max(0, limit)]
                ).map(FingerprintRows.fingerprint)
            }
        }
    }

    /// Returns fingerprints behind a number, in order of numbers.
    package func fingerprints(
        after number: UInt64,
        limit: Int,
        byteLimit: Int
    ) async throws(EarshotError) -> [StoredFingerprint] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT \(FingerprintRows.columns) WHERE f.number > ? ORDER BY f.number LIMIT ?",
                arguments: [Int64(clamping: number), max(0, limit)]
            )
            var found: [StoredFingerprint] = []
            var bytes = 0
            while bytes < max(1, byteLimit), let row = try rows.next() {
                let fingerprint = try FingerprintRows.fingerprint(row)
                bytes += fingerprint.text.utf8.count
                found.append(fingerprint)
            }
            return found
        }
    }
}

// MARK: - Tracks

extension SQLiteFingerprintStore {
    /// Returns the track that an identifier leads to, after merges; `nil` if there is none.
    package func track(_ id: UUID) async throws(EarshotError) -> UUID? {
        try await read { database in
            try String.fetchOne(
                database,
                sql: "SELECT t.id FROM track s JOIN track t ON t.pk = coalesce(s.merged, s.pk) WHERE s.id = ?",
                arguments: [id.text]
            ).map(FingerprintRecord.id)
        }
    }

    /// Returns the tracks of fingerprints.
    package func tracks(ofFingerprints numbers: [UInt64]) async throws(EarshotError) -> [UInt64: UUID] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT t.id FROM fingerprint f JOIN track t ON t.pk = f.track WHERE f.number = ?"
            )
            var tracks: [UInt64: UUID] = [:]
            for number in numbers {
                guard let key = Int64(exactly: number) else { continue }
                tracks[number] = try String.fetchOne(statement, arguments: [key]).map(FingerprintRecord.id)
            }
            return tracks
        }
    }

    /// Returns the recordings that tracks were said to be, those with the most sources first and disabled ones behind all others.
    package func links(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [RecordingLink]] {
        try await read { database in
            var links: [UUID: [RecordingLink]] = [:]
            for track in Set(tracks) {
                guard let row = try FingerprintWriter.row(track, database) else { continue }
                let found = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT l.recording AS recording, l.disabled AS disabled, (
                            SELECT count(*) FROM link_source s WHERE s.track = l.track AND s.recording = l.recording
                        ) AS sources
                        FROM link l WHERE l.track = ? ORDER BY l.disabled, sources DESC, l.recording LIMIT ?
                        """,
                    arguments: [row, max(0, limit)]
                )
                if found.isEmpty { continue }
                links[track] = try found.map { link in
                    RecordingLink(
                        recording: try FingerprintRecord.id(link["recording"]),
                        sources: link["sources"],
                        isDisabled: link["disabled"]
                    )
                }
            }
            return links
        }
    }

    /// Returns the tracks that were said to be recordings, in order of ids.
    package func tracks(
        linkedTo recordings: [UUID],
        limit: Int
    ) async throws(EarshotError) -> [UUID: [(track: UUID, isDisabled: Bool)]] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT t.id AS track, l.disabled AS disabled FROM link l JOIN track t ON t.pk = l.track
                    WHERE l.recording = ? ORDER BY t.id LIMIT ?
                    """
            )
            var tracks: [UUID: [(track: UUID, isDisabled: Bool)]] = [:]
            for recording in Set(recordings) {
                let rows = try Row.fetchAll(statement, arguments: [recording.text, max(0, limit)])
                tracks[recording] = try rows.map { (try FingerprintRecord.id($0["track"]), $0["disabled"]) }
            }
            return tracks
        }
    }

    /// Says that a link is wrong, or that it is right after all.
    package func setDisabled(
        _ isDisabled: Bool,
        recording: UUID,
        of track: UUID
    ) async throws(EarshotError) -> Bool {
        try await write { database in
            guard let row = try FingerprintWriter.row(track, database) else { return false }
            try database.execute(
                sql: "UPDATE link SET disabled = ? WHERE track = ? AND recording = ?",
                arguments: [isDisabled, row, recording.text]
            )
            return database.changesCount > 0
        }
    }

    /// Returns the metadata that was submitted for tracks, that with the most sources first, at most `limit` for each
    /// track.
    package func metadata(of tracks: [UUID], limit: Int) async throws(EarshotError) -> [UUID: [SubmittedMetadata]] {
        try await read { database in
            var metadata: [UUID: [SubmittedMetadata]] = [:]
            for track in Set(tracks) {
                guard let row = try FingerprintWriter.row(track, database) else { continue }
                let found = try String.fetchAll(
                    database,
                    sql: """
                        SELECT json FROM metadata_source WHERE track = ?
                        GROUP BY json ORDER BY count(*) DESC, json LIMIT ?
                        """,
                    arguments: [row, max(0, limit)]
                )
                if !found.isEmpty { metadata[track] = try found.map { try EntityJSON.value($0) } }
            }
            return metadata
        }
    }

    /// Returns the foreign identifiers that were submitted for a track, sorted.
    package func foreignIDs(of track: UUID) async throws(EarshotError) -> [String] {
        try await read { database in
            guard let row = try FingerprintWriter.row(track, database) else { return [] }
            return try String.fetchAll(
                database,
                sql: "SELECT DISTINCT value FROM foreign_source WHERE track = ? ORDER BY value",
                arguments: [row]
            )
        }
    }

    /// Returns the numbers of what the store holds.
    package func counts() async throws(EarshotError) -> FingerprintCounts {
        try await read { database in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            var counts = FingerprintCounts()
            counts.tracks = try count("track WHERE merged IS NULL")
            counts.fingerprints = try count("fingerprint")
            counts.links = try count("link")
            counts.pending = try count("submission WHERE state = 0")
            return counts
        }
    }
}
