import EarshotCore
import EarshotRecognition
import Foundation
import GRDB

/// Reads and writes entries of a history as rows.
enum HistoryRow {
    static func insert(_ entry: HistoryEntry, _ database: Database) throws {
        let music: String
        do {
            music = String(decoding: try EntityJSON.encoder.encode(entry.match), as: UTF8.self)
        } catch {
            throw EarshotError(
                .metadataInvalid,
                "A match with a value that is no number cannot be kept: leave the value out.",
                cause: error
            )
        }
        try database.execute(
            sql: """
                INSERT INTO entry (id, date, operation, latitude, longitude, accuracy, heard, music, cover_type, cover)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.id, Int64((entry.date.timeIntervalSince1970 * 1_000).rounded()), entry.operation.rawValue,
                entry.place?.latitude, entry.place?.longitude, entry.place?.accuracy, entry.heard, music,
                entry.coverArt?.mimeType, entry.coverArt?.data,
            ]
        )
    }

    static func entry(_ row: Row) throws -> HistoryEntry {
        guard let operation = HistoryEntry.Operation(rawValue: row["operation"]) else {
            throw EarshotError(
                .storeDamaged,
                "The history holds an entry that cannot be read: restore its file from a backup."
            )
        }
        var place: HistoryPlace?
        if let latitude: Double = row["latitude"], let longitude: Double = row["longitude"] {
            place = HistoryPlace(latitude: latitude, longitude: longitude, accuracy: row["accuracy"])
        }
        var coverArt: HistoryEntry.CoverArt?
        if let type: String = row["cover_type"], let data: Data = row["cover"] {
            coverArt = HistoryEntry.CoverArt(mimeType: type, data: data)
        }
        let milliseconds: Int64 = row["date"]
        return try HistoryEntry(
            id: row["id"],
            match: try EntityJSON.value(row["music"]),
            operation: operation,
            date: Date(timeIntervalSince1970: Double(milliseconds) / 1_000),
            place: place,
            coverArt: coverArt,
            heard: row["heard"]
        )
    }
}
