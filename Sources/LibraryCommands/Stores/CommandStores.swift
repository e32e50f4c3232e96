package import CommandKit
import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
import EarshotSQLite
import Foundation

#if Service
    import EarshotPostgreSQL
#endif

/// Opens the stores that commands work with: in files, or in the PostgreSQL database of a service.
package enum CommandStores {
    /// The store of music.
    ///
    /// - Parameter database: The file or the address that an option names.
    /// - Throws: `storeUnavailable` if there is none, and what opening throws.
    package static func music(
        _ database: String?,
        _ access: DatabaseAccess
    ) async throws(EarshotError) -> any MusicStore {
        let file = DatabaseFile.music
        guard let address = try file.address(database) else {
            return try open(file, database, access) { url throws(EarshotError) in try SQLiteMusicStore(url: url) }
        }
        #if Service
            return try await PostgreSQLMusicStore(DatabaseAccess.pool(address, access, for: .music))
        #else
            throw leftOut()
        #endif
    }

    /// The programme guide.
    ///
    /// - Parameters:
    ///   - guide: The file or the address that the option `--guide` names.
    ///   - database: The address that the option `--database` names.
    /// - Throws: `storeUnavailable` if there is none, and what opening throws.
    static func guide(
        _ guide: String?,
        database: String?,
        _ access: DatabaseAccess
    ) async throws(EarshotError) -> any GuideStore {
        let file = DatabaseFile.guide
        guard let address = try file.address(guide, database: database) else {
            return try open(file, guide, access) { url throws(EarshotError) in try SQLiteGuideStore(url: url) }
        }
        #if Service
            return try await PostgreSQLGuideStore(DatabaseAccess.pool(address, access, for: .guide))
        #else
            throw leftOut()
        #endif
    }

    /// The log of plays, which is not made.
    ///
    /// - Parameters:
    ///   - playlog: The file or the address that the option `--playlog` names.
    ///   - database: The address that the option `--database` names.
    /// - Throws: `storeUnavailable` if there is none, and what opening throws.
    static func playlog(_ playlog: String?, database: String?) async throws(EarshotError) -> any PlaylogStore {
        let file = DatabaseFile.playlog
        guard let address = try file.address(playlog, database: database) else {
            return try open(file, playlog, .existing) { url throws(EarshotError) in try SQLitePlaylogStore(url: url) }
        }
        #if Service
            return try await PostgreSQLPlaylogStore(DatabaseAccess.pool(address, .existing, for: .playlog))
        #else
            throw leftOut()
        #endif
    }

    private static func open<Store>(
        _ file: DatabaseFile,
        _ path: String?,
        _ access: DatabaseAccess,
        _ open: (URL) throws(EarshotError) -> Store
    ) throws(EarshotError) -> Store {
        switch access {
        case .existing: try file.existing(path, open)
        case .making: try file.made(path, open)
        }
    }

    #if !Service
        private static func leftOut() -> EarshotError {
            LeftOutFeature.error("A database in PostgreSQL", "Service")
        }
    #endif
}
