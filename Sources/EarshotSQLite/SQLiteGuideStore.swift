public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation
import GRDB

/// A program guide in an SQLite database: one file, no server.
///
/// Only its owner can read the file. Several programs may use it at the same time: one may import while others ask.
public final class SQLiteGuideStore: GuideStore, DatabaseStore {
    let name: String
    let database: any DatabaseWriter

    /// Opens a database, or makes one that only its owner may read.
    ///
    /// - Parameter url: A file; beside it SQLite keeps two more, with `-wal` and `-shm` behind its name.
    /// - Throws: `storeDamaged` for a file that is no guide, is damaged or of a newer version, `storeUnavailable` when it
    ///   cannot be opened, `writeFailed` when it cannot be made.
    public convenience init(url: URL) throws(EarshotError) {
        try self.init(try StoreDatabase.pool(at: url), name: url.path)
    }

    /// Returns a guide in memory, which exists as long as the object.
    ///
    /// - Throws: `internalError` if SQLite lacks a required feature.
    public static func inMemory() throws(EarshotError) -> SQLiteGuideStore {
        let name = "a guide in memory"
        return try SQLiteGuideStore(try StoreDatabase.inMemory(name), name: name)
    }

    private init(_ database: any DatabaseWriter, name: String) throws(EarshotError) {
        self.name = name
        self.database = database
        try StoreDatabase.guarding(name) { try database.read { try GuideSchema.check($0, name) } }
        try StoreDatabase.migrate(database, GuideSchema.migrator, named: name)
    }

}

// MARK: - The guide

extension SQLiteGuideStore {
    /// Makes changes, in order, all of them or none.
    public func apply(_ changes: [GuideChange]) async throws(EarshotError) {
        guard !changes.isEmpty else { return }
        try await write { database in
            var writer = GuideWriter(database)
            for change in changes { try writer.apply(change) }
        }
    }

    /// Returns a work; `nil` if it is not known.
    public func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork? {
        try await read {
            try GuideRows.entity($0, "work", id.rawValue).map { (work: VideoWork) in work.showing(links: links) }
        }
    }

    /// Returns a program; `nil` if it is not known.
    public func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program? {
        try await read {
            try GuideRows.entity($0, "program", id.rawValue).map { (program: Program) in program.showing(links: links) }
        }
    }

    /// Returns a channel; `nil` if it is not known.
    public func channel(
        _ id: EntityID<BroadcastChannel>,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        try await channel(identifier: id.rawValue, tag: "", source: .televisionChannel, links: links)
    }

    /// Returns the channel of an identifier that comes from elsewhere; `nil` if there is none.
    public func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        try await read { database in
            let linked = """
                SELECT json FROM channel_xmltv x JOIN channel c ON c.pk = x.channel
                WHERE x.value = ?1 AND (?2 = '' OR c.tag = ?2) ORDER BY c.id LIMIT 1
                """
            let own = "SELECT json FROM channel WHERE id = ?1 AND (?2 = '' OR tag = ?2)"
            for sql in source == .xmltv ? [linked, own] : [own] {
                guard let json = try String.fetchOne(database, sql: sql, arguments: [identifier, tag]) else { continue }
                let channel: BroadcastChannel = try GuideRecord.value(json)
                return channel.showing(links: links)
            }
            return nil
        }
    }

    /// Returns all channels, in order of their ids.
    public func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel] {
        try await read { database in
            try String.fetchAll(database, sql: "SELECT json FROM channel ORDER BY id").map { json in
                let channel: BroadcastChannel = try GuideRecord.value(json)
                return channel.showing(links: links)
            }
        }
    }

    /// Returns the airings that overlap a span, in order of their beginnings, at most `limit`.
    public func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing] {
        let (first, last) = (GuideSlot.clamped(start), GuideSlot.clamped(end))
        return try await read { database in
            // An airing that reaches into the span began at most the longest duration of an airing before it.
            let earliest = first - GuideSlot.maximumMilliseconds
            let names = channels.map { try? JSONEncoder().encode($0.map(\.rawValue)) }
            let sql = """
                SELECT \(GuideRows.airingColumns)
                WHERE a.start > ? AND a.start < ? AND a.finish > ?
                \(names == nil ? "" : "AND c.id IN (SELECT value FROM json_each(?))")
                ORDER BY a.start, c.id LIMIT ?
                """
            var arguments: StatementArguments = [earliest, last, first]
            if let names { arguments += [String(decoding: names ?? Data("[]".utf8), as: UTF8.self)] }
            arguments += [max(0, limit)]
            var rows = GuideRows()
            return try Row.fetchAll(database, sql: sql, arguments: arguments).map { try rows.airing($0) }
        }
    }

    /// Returns the airing that a channel shows at an instant; `nil` if that is unknown.
    public func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing? {
        let instant = GuideSlot.clamped(date)
        return try await read { database in
            let sql = """
                SELECT \(GuideRows.airingColumns)
                WHERE c.id = ? AND a.start <= ? AND a.start > ? AND a.finish > ? ORDER BY a.start DESC LIMIT 1
                """
            let earliest = instant - GuideSlot.maximumMilliseconds
            let arguments: StatementArguments = [channel.rawValue, instant, earliest, instant]
            var rows = GuideRows()
            return try Row.fetchOne(database, sql: sql, arguments: arguments).map { try rows.airing($0) }
        }
    }

    /// Returns the works whose titles contain all words of a text.
    public func works(titled text: String, limit: Int) async throws(EarshotError) -> [VideoWork] {
        let search = TitleSearch(text)
        return try await read { database in
            let works: [VideoWork] = try GuideRows.found(database, "work", search, limit)
            return works.map { $0.showing(links: false) }
        }
    }

    /// Returns the programs whose titles contain all words of a text.
    public func programs(titled text: String, limit: Int) async throws(EarshotError) -> [Program] {
        let search = TitleSearch(text)
        return try await read { database in
            let programs: [Program] = try GuideRows.found(database, "program", search, limit)
            return programs.map { $0.showing(links: false) }
        }
    }

    /// Removes what ended before an instant, or at it.
    public func removeAirings(endedBy date: Date, withPrograms: Bool) async throws(EarshotError) -> Int {
        let instant = GuideSlot.clamped(date)
        return try await write { try GuideWriter($0).removeAirings(endedBy: instant, withPrograms: withPrograms) }
    }

    /// Returns the numbers of what the guide holds.
    public func counts() async throws(EarshotError) -> GuideCounts {
        try await read { database in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            var counts = GuideCounts()
            counts.works = try count("work")
            counts.programs = try count("program")
            counts.channels = try count("channel")
            counts.airings = try count("airing")
            return counts
        }
    }
}
