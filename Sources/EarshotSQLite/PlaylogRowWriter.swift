import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import GRDB

/// Writes plays, gaps and their changes, within a transaction.
struct PlaylogRowWriter {
    let database: Database

    /// Returns the number of the last change, removed or not; 0 if there was none.
    static func lastSequence(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'change'") ?? 0
    }

    static func figure(_ name: String, _ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT value FROM figure WHERE name = ?", arguments: [name]) ?? 0
    }

    static func record(_ json: String) throws -> PlayRecord { try PlaylogRow.value(PlayRecord.self, json) }

    private static func gap(_ json: String) throws -> StreamGap { try PlaylogRow.value(StreamGap.self, json) }

    // MARK: - Plays

    /// Writes a checked record.
    func put(_ record: PlayRecord) throws -> PlayOutcome.Result {
        let id = record.id.rawValue
        let old = try String.fetchOne(database, sql: "SELECT json FROM play WHERE id = ?", arguments: [id])
        switch PlayReplacement(of: try old.map(Self.record), by: record) {
        case .unchanged: return .unchanged
        case .keptFinal: return .keptFinal
        case .store(let event):
            let json = try PlaylogRow.json(record)
            let (start, ended) = (PlaylogTime.bounded(record.start), PlaylogTime.bounded(record.end))
            try database.execute(
                sql: """
                    INSERT INTO play (id, channel, start, ended, played, reference, kind, open, json)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET channel = excluded.channel, start = excluded.start,
                        ended = excluded.ended, played = excluded.played, reference = excluded.reference,
                        kind = excluded.kind, open = excluded.open, json = excluded.json
                    """,
                arguments: [
                    id, record.channel.id.rawValue, start, ended, record.playedDuration,
                    record.referenceID?.rawValue ?? "", record.kind.rawValue, record.state == .provisional, json,
                ]
            )
            try database.execute(
                sql: "UPDATE figure SET value = ? WHERE name = 'longest' AND value < ?",
                arguments: [ended - start, ended - start]
            )
            return .stored(sequence: try append(event, isGap: false, ended: ended, json))
        }
    }

    /// Takes back a provisional record.
    func withdraw(_ id: EntityID<PlayRecord>) throws -> PlayOutcome.Result {
        let sql = "SELECT json FROM play WHERE id = ?"
        guard let json = try String.fetchOne(database, sql: sql, arguments: [id.rawValue]) else { return .unchanged }
        let record = try Self.record(json)
        guard record.state == .provisional else { return .keptFinal }
        try database.execute(sql: "DELETE FROM play WHERE id = ?", arguments: [id.rawValue])
        let ended = PlaylogTime.bounded(record.end)
        return .stored(sequence: try append(.playWithdrawn, isGap: false, ended: ended, json))
    }

    // MARK: - Gaps

    /// Writes a checked gap.
    func put(_ gap: StreamGap) throws -> PlayOutcome.Result {
        let id = gap.id.rawValue
        let old = try String.fetchOne(database, sql: "SELECT json FROM gap WHERE id = ?", arguments: [id])
        switch PlayReplacement(of: try old.map(Self.gap), by: gap) {
        case .unchanged: return .unchanged
        case .keptFinal: return .keptFinal
        case .store(let event):
            let json = try PlaylogRow.json(gap)
            let (start, ended) = (PlaylogTime.bounded(gap.start), gap.end.map(PlaylogTime.bounded))
            try database.execute(
                sql: """
                    INSERT INTO gap (id, channel, start, ended, json) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET channel = excluded.channel, start = excluded.start,
                        ended = excluded.ended, json = excluded.json
                    """,
                arguments: [id, gap.channel.id.rawValue, start, ended, json]
            )
            return .stored(sequence: try append(event, isGap: true, ended: ended ?? start, json))
        }
    }

    // MARK: - Changes

    private func append(_ event: PlayEvent, isGap: Bool, ended: Int64, _ json: String) throws -> Int {
        try database.execute(
            sql: "INSERT INTO change (ended, event, gap, json) VALUES (?, ?, ?, ?)",
            arguments: [ended, event.rawValue, isGap, json]
        )
        return Int(database.lastInsertedRowID)
    }

    static func change(_ row: Row) throws -> PlayChange {
        try PlaylogRow.change(row["sequence"], row["event"], isGap: row["gap"], row["json"])
    }
}
