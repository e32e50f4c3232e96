import EarshotFingerprints
import Foundation
import GRDB

/// Reads rows of a store of fingerprints.
enum FingerprintRows {
    /// The columns that ``fingerprint(_:)`` reads, and their tables.
    static let columns = """
        f.number AS number, t.id AS track, f.text AS text, f.duration AS duration, f.submitter AS submitter,
        f.created AS created, f.submissions AS submissions FROM fingerprint f JOIN track t ON t.pk = f.track
        """

    static func fingerprint(_ row: Row) throws -> StoredFingerprint {
        StoredFingerprint(
            number: UInt64(clamping: row["number"] as Int64),
            track: try FingerprintRecord.id(row["track"]),
            text: row["text"],
            duration: row["duration"],
            submitter: row["submitter"],
            date: Date(timeIntervalSince1970: row["created"]),
            submissions: row["submissions"]
        )
    }

    static func fingerprint(_ database: Database, _ number: Int64) throws -> StoredFingerprint? {
        try Row.fetchOne(database, sql: "SELECT \(columns) WHERE f.number = ?", arguments: [number]).map(fingerprint)
    }
}
