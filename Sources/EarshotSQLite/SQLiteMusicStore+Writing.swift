public import EarshotCore
public import EarshotMetadata

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
        }
    }
}
