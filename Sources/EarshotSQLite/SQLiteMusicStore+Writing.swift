public import EarshotCore
public import EarshotMusic
import GRDB

extension SQLiteMusicStore {
    /// Makes changes, in order, all of them or none; they are on the disk when this returns.
    ///
    /// - Throws: `metadataInvalid`, `writeFailed` when the disk is full or closed, `storeUnavailable`, `storeDamaged`.
    public func apply(_ changes: [MusicChange]) async throws(EarshotError) {
        guard !changes.isEmpty else { return }
        try await write { database in
            var writer = try MusicWriter(database)
            for change in changes { try writer.apply(change) }
            try writer.finish()
            try database.execute(
                sql: """
                    INSERT INTO setting VALUES ('generation', '1')
                    ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1
                    """
            )
        }
    }

    /// Returns the number of changes to the store so far. Whoever caches answers compares it to learn if they are still
    /// valid.
    ///
    /// - Throws: `storeUnavailable` when the store cannot be read.
    public func generation() async throws(EarshotError) -> Int {
        try await read { database in
            try Int.fetchOne(database, sql: "SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'generation'") ?? 0
        }
    }
}
