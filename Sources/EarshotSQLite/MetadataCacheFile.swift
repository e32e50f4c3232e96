import EarshotCore
import EarshotMusic
import Foundation
import GRDB

/// The open file of a metadata cache.
///
/// Its journal is not on the disk, so that it is a single file, and its pages are limited, so that it cannot exceed its size. Damage by a loss
/// of power is detected when it is opened, or by the checksum of an entry.
final class MetadataCacheFile: Sendable {
    /// The `application_id` of a cache of metadata: `EMDC`.
    private static let application = 0x454D_4443
    private static let version = 1
    private static let pageSize = 4_096
    /// The most bytes that an entry takes besides key and value: its row, its entry in the index, its checksum, and the
    /// last page of each, which may be nearly empty.
    private static let overhead = 3 * pageSize

    let url: URL
    private let pageLimit: Int
    private let database: DatabaseQueue
    private let identity: DatabaseFileIdentity?

    /// Opens a file, or creates one.
    ///
    /// - Throws: `storeDamaged` for a file that must be discarded.
    init(_ url: URL, _ options: MetadataCacheOptions) throws(EarshotError) {
        self.url = url
        let pageLimit = options.fileSize * 1_024 / Self.pageSize
        self.pageLimit = pageLimit
        try StoreDatabase.makeFile(url)
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            // Both settings take effect only in an empty file.
            try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            _ = try Row.fetchAll(database, sql: "PRAGMA journal_mode = MEMORY")
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            try database.execute(sql: "PRAGMA cache_size = -\(options.memorySize)")
        }
        database = try StoreDatabase.guarding(url.path) {
            let database = try DatabaseQueue(path: url.path, configuration: configuration)
            try database.write { try Self.prepare($0, url.path) }
            try database.writeWithoutTransaction { try Self.shrink($0, to: pageLimit) }
            return database
        }
        identity = DatabaseFileIdentity(url)
    }

    /// `true` if the path still leads to this file.
    var isInPlace: Bool { identity != nil && DatabaseFileIdentity(url) == identity }

    private static func prepare(_ database: Database, _ name: String) throws {
        let damaged = EarshotError(.storeDamaged, "\(name) is no cache of this version: throw it away.")
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0, application == 0 {
            try database.execute(sql: "PRAGMA application_id = \(Self.application)")
            try database.execute(sql: "PRAGMA user_version = \(Self.version)")
            try database.execute(
                sql: """
                    -- Entries are numbered in the order in which they are stored, whatever the clock says.
                    CREATE TABLE entry (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        key TEXT NOT NULL UNIQUE,
                        stored REAL NOT NULL, -- seconds since 1970
                        sum INTEGER NOT NULL,
                        value BLOB NOT NULL
                    ) STRICT
                    """
            )
            return
        }
        guard application == Self.application, version == Self.version,
            try String.fetchOne(database, sql: "PRAGMA quick_check") == "ok"
        else { throw damaged }
    }

    // MARK: - Entries

    func value(for key: String, _ now: Date) throws(EarshotError) -> Data? {
        try StoreDatabase.guarding(url.path) {
            let sql = "SELECT stored, sum, value FROM entry WHERE key = ?"
            guard let row = try database.read({ try Row.fetchOne($0, sql: sql, arguments: [key]) }) else { return nil }
            let stored: Double = row["stored"]
            // An entry from the future was stored before the clock was set back.
            guard abs(now.timeIntervalSince1970 - stored) <= MetadataCacheOptions.lifetime else { return nil }
            let value: Data = row["value"]
            guard row["sum"] == Self.sum(key, stored, value) else {
                throw EarshotError(.storeDamaged, "An entry of \(url.path) is damaged: throw the file away.")
            }
            return value
        }
    }

    func store(_ value: Data, for key: String, _ now: Date) throws(EarshotError) {
        let size = key.utf8.count * 2 + value.count
        try StoreDatabase.guarding(url.path) {
            let isKept = size <= pageLimit * Self.pageSize - 4 * Self.overhead
            try database.write { database in
                let stored = now.timeIntervalSince1970
                try database.execute(
                    // The old answer is removed even if there is no room for the new one: it is outdated.
                    sql: "DELETE FROM entry WHERE key = ? OR abs(? - stored) > ?",
                    arguments: [key, stored, MetadataCacheOptions.lifetime]
                )
            }
            guard isKept else { return }
            while try !insert(value, key, now.timeIntervalSince1970) {
                guard try evict(atLeast: size) else { return }
            }
        }
    }

    func clear() throws(EarshotError) {
        try StoreDatabase.guarding(url.path) {
            try database.write { try $0.execute(sql: "DELETE FROM entry") }
            try database.writeWithoutTransaction { database in
                _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
            }
        }
    }

    /// Inserts an entry.
    ///
    /// - Returns: `true` if there was room.
    private func insert(_ value: Data, _ key: String, _ stored: Double) throws -> Bool {
        do {
            try database.write { database in
                // The limit is that of this connection: others may have other ones.
                _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pageLimit)")
                try database.execute(
                    sql: "INSERT INTO entry (key, stored, sum, value) VALUES (?, ?, ?, ?)",
                    arguments: [key, stored, Self.sum(key, stored, value), value]
                )
            }
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            // The limit of pages, or a full disk. With a full disk, removing all entries makes no room either.
            return false
        }
    }

    /// Removes the oldest entries, as many as take the room that is wanted.
    ///
    /// - Returns: `true` if there were any.
    private func evict(atLeast size: Int) throws -> Bool {
        try database.write { database in
            var freed = 0
            var last: Int64?
            let sql = "SELECT id, length(CAST(key AS BLOB)) * 2 + length(value) AS size FROM entry ORDER BY id"
            let rows = try Row.fetchCursor(database, sql: sql)
            while freed < size || last == nil, let row = try rows.next() {
                freed += row["size"] as Int
                last = row["id"]
            }
            guard let last else { return false }
            try database.execute(sql: "DELETE FROM entry WHERE id <= ?", arguments: [last])
            return true
        }
    }

    /// Removes the oldest entries of a file that is larger than a limit, and shrinks it.
    private static func shrink(_ database: Database, to limit: Int) throws {
        func pages(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
        while try pages("page_count") > limit {
            let used = try pages("page_count") - pages("freelist_count")
            if used > limit {
                let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
                guard count > 0 else { break }
                // In steps of a sixteenth of the remaining entries, so that few more are removed than needed.
                let sql = "DELETE FROM entry WHERE id IN (SELECT id FROM entry ORDER BY id LIMIT ?)"
                try database.execute(sql: sql, arguments: [max(1, count / 16)])
            } else {
                _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
            }
        }
        _ = try pages("max_page_count = \(limit)")
    }

    /// Returns the checksum of an entry: FNV-1a of 64 bits.
    private static func sum(_ key: String, _ stored: Double, _ value: Data) -> Int64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for byte in key.utf8 { add(byte) }
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: stored.bitPattern >> shift))
        }
        for byte in value { add(byte) }
        return Int64(bitPattern: sum)
    }
}
