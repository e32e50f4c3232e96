package import EarshotCore
package import EarshotMusic

extension PostgreSQLMusicStore {
    /// Makes changes, in order, all of them or none; they are kept by the server when this returns.
    ///
    /// - Throws: `metadataInvalid`, `storeUnavailable`, `storeDamaged`.
    package func apply(_ changes: [MusicChange]) async throws(EarshotError) {
        guard !changes.isEmpty else { return }
        try await pool.write { connection in
            let writer = try MusicTransaction(connection)
            try writer.prepare(for: changes)
            for change in changes { try writer.apply(change) }
            try writer.finish()
        }
    }

    /// Returns the number of changes so far. Caches compare it to learn if their answers still hold.
    package func generation() async throws(EarshotError) -> Int {
        try await pool.read { connection in
            try connection.row("SELECT generation FROM music_state")?.integer("generation") ?? 0
        }
    }

    /// Finds faults of the store: keys that do not agree with what they are for. Takes time in proportion to its size.
    ///
    /// - Returns: A sentence for each fault.
    package func check() async throws(EarshotError) -> [String] {
        try await pool.read { connection in
            var faults: [String] = []
            for table in MusicTables.columns.keys.sorted() {
                func count(_ rows: String) throws -> Int {
                    try connection.row("SELECT count(*) AS count FROM \(rows)")?.integer("count") ?? 0
                }
                let (entity, key) = ("music_\(table)", "music_\(table)_key")
                let (rows, keys) = (try count(entity), try count(key))
                let pairs = try count(
                    "\(entity) JOIN \(key) ON \(key).number = \(entity).key AND \(key).id = \(entity).id"
                )
                if rows != keys || rows != pairs {
                    faults.append("\(rows) rows of \(table) have \(keys) keys, of which \(pairs) fit")
                }
                let misplaced = try count(
                    """
                    \(key) WHERE tier <> (SELECT max(tier) FROM music_tier
                        WHERE keys = '\(table)' AND (tier = 0 OR first <= number))
                    """
                )
                if misplaced > 0 { faults.append("\(misplaced) keys of \(table) are in the wrong tier") }
                let miscounted = try count(
                    "music_tier WHERE keys = '\(table)' AND count <> (SELECT count(*) FROM \(key) WHERE \(key).tier = music_tier.tier)"
                )
                if miscounted > 0 {
                    faults.append("\(miscounted) tiers of \(table) have another number of keys than is written down")
                }
            }
            return faults
        }
    }
}
