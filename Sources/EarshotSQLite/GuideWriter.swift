import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import GRDB

/// Makes changes to a guide within one transaction.
struct GuideWriter {
    private let database: Database
    /// The keys of rows that were found, because schedules refer to the same ones again and again.
    private var keys: [EntityID<GuideWriter>: Int64] = [:]

    init(_ database: Database) {
        self.database = database
    }

    func removeAirings(endedBy instant: Int64, withPrograms: Bool) throws -> Int {
        let programs =
            try withPrograms
            ? Int64.fetchAll(
                database,
                sql: "SELECT DISTINCT program FROM airing WHERE finish <= ?",
                arguments: [instant]
            ) : []
        try database.execute(sql: "DELETE FROM airing WHERE finish <= ?", arguments: [instant])
        let count = database.changesCount
        let sql = "DELETE FROM program WHERE pk = ?1 AND NOT EXISTS (SELECT 1 FROM airing WHERE program = ?1)"
        for program in programs { try database.cachedStatement(sql: sql).execute(arguments: [program]) }
        return count
    }

    /// Returns the key of a row; `nil` if there is none. Changes remove no rows, so keys may be remembered.
    private mutating func key(_ table: String, _ id: String) throws -> Int64? {
        let name = EntityID<GuideWriter>(table + "/" + id)
        if let key = keys[name] { return key }
        let statement = try database.cachedStatement(sql: "SELECT pk FROM \(table) WHERE id = ?")
        let key = try Int64.fetchOne(statement, arguments: [id])
        if let key { keys[name] = key }
        return key
    }
}

extension GuideWriter: GuideChangeTarget {
    typealias Failure = any Error

    mutating func contains(_ id: EntityID<VideoWork>) throws -> Bool { try key("work", id.rawValue) != nil }
    mutating func contains(_ id: EntityID<Program>) throws -> Bool { try key("program", id.rawValue) != nil }
    mutating func contains(_ id: EntityID<BroadcastChannel>) throws -> Bool { try key("channel", id.rawValue) != nil }

    func put(_ work: VideoWork) throws { try put("work", work.id.rawValue, TitleKeys(work), work) }
    func put(_ program: Program) throws { try put("program", program.id.rawValue, TitleKeys(program), program) }

    func put(_ channel: BroadcastChannel) throws {
        let key = try Int64.fetchOne(
            database,
            sql: """
                INSERT INTO channel (id, tag, json) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET tag = excluded.tag, json = excluded.json RETURNING pk
                """,
            arguments: [channel.id.rawValue, channel.tag, GuideRecord.text(channel)]
        )
        try database.execute(sql: "DELETE FROM channel_xmltv WHERE channel = ?", arguments: [key])
        for link in channel.externalIdentifiers where link.source == ExternalIdentifier.xmltvSource {
            let sql = "INSERT OR IGNORE INTO channel_xmltv (value, channel) VALUES (?, ?)"
            try database.execute(sql: sql, arguments: [link.value, key])
        }
    }

    private func put(_ table: String, _ id: String, _ keys: TitleKeys, _ entity: some Encodable) throws {
        let key = try Int64.fetchOne(
            database,
            sql: """
                INSERT INTO \(table) (id, name, json) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json RETURNING pk
                """,
            arguments: [id, keys.name, GuideRecord.text(entity)]
        )
        try database.execute(sql: "DELETE FROM \(table)_word WHERE \(table) = ?", arguments: [key])
        try Self.put(keys.words, of: table, key.databaseValue, database)
    }

    /// Adds the words by which an entity is found.
    static func put(_ words: Set<String>, of table: String, _ key: DatabaseValue, _ database: Database) throws {
        let insert = try database.cachedStatement(sql: "INSERT INTO \(table)_word (word, \(table)) VALUES (?, ?)")
        for word in words { try insert.execute(arguments: [word, key]) }
    }

    mutating func clear(_ span: Range<Int64>, on id: EntityID<BroadcastChannel>) throws {
        guard let channel = try key("channel", id.rawValue) else { throw GuideFault.unknownChannel(id) }
        try database.execute(
            sql: "DELETE FROM airing WHERE channel = ? AND start >= ? AND start < ?",
            arguments: [channel, span.lowerBound, span.upperBound]
        )
        try database.execute(
            sql: "UPDATE airing SET finish = ?2 WHERE channel = ?1 AND start < ?2 AND start > ?3 AND finish > ?2",
            arguments: [channel, span.lowerBound, span.lowerBound - GuideSlot.maximumMilliseconds - 1]
        )
    }

    mutating func put(_ slot: GuideSlot) throws {
        guard let channel = try key("channel", slot.channel.rawValue) else {
            throw GuideFault.unknownChannel(slot.channel)
        }
        guard let program = try key("program", slot.program.rawValue) else {
            throw GuideFault.unknownProgram(slot.program)
        }
        let sql =
            "INSERT OR REPLACE INTO airing (channel, start, finish, program, live, again) VALUES (?, ?, ?, ?, ?, ?)"
        try database.cachedStatement(sql: sql).execute(arguments: [
            channel, GuideSlot.clamped(slot.start), GuideSlot.clamped(slot.end), program, slot.isLive, slot.isRepeat,
        ])
    }
}
