import CommandKit
import EarshotBroadcast
package import EarshotCore
package import EarshotMusic
import EarshotSQLite
import Foundation

#if Service
    package import EarshotPostgreSQL
#endif

/// Opens the stores that commands work with: in files, or in the PostgreSQL database of a service.
package enum CommandStores {
    /// Says what happens if there is no database.
    package enum Access: Sendable {
        /// It is not made.
        case existing
        /// It is made.
        case making
    }

    /// The store of music.
    ///
    /// - Parameter database: The file or the address that an option names.
    /// - Throws: `storeUnavailable` if there is none, and what opening throws.
    package static func music(
        _ database: String?,
        _ access: Access
    ) async throws(EarshotError) -> any MusicStore {
        let file = DatabaseFile.music
        guard let address = try file.address(database) else {
            return try open(file, database, access) { url throws(EarshotError) in try SQLiteMusicStore(url: url) }
        }
        #if Service
            return try await PostgreSQLMusicStore(pool(address, access))
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
        _ access: Access
    ) async throws(EarshotError) -> any GuideStore {
        let file = DatabaseFile.guide
        guard let address = try file.address(guide, database: database) else {
            return try open(file, guide, access) { url throws(EarshotError) in try SQLiteGuideStore(url: url) }
        }
        #if Service
            return try await PostgreSQLGuideStore(pool(address, access))
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
            return try await PostgreSQLPlaylogStore(pool(address, .existing))
        #else
            throw leftOut()
        #endif
    }

    private static func open<Store>(
        _ file: DatabaseFile,
        _ path: String?,
        _ access: Access,
        _ open: (URL) throws(EarshotError) -> Store
    ) throws(EarshotError) -> Store {
        switch access {
        case .existing: try file.existing(path, open)
        case .making: try file.made(path, open)
        }
    }

    #if Service
        private static func pool(_ address: String, _ access: Access) async throws(EarshotError) -> PostgreSQLPool {
            guard let options = PostgreSQLOptions(ifAddress: address) else {
                throw EarshotError(
                    .configurationInvalid,
                    "A database has an address such as postgresql://user@host/name; another one was given: check --database and "
                        + "EARSHOT_DATABASE."
                )
            }
            return try await pool(options, access)
        }

        /// Connections to the database of a service.
        ///
        /// - Throws: `storeUnavailable` if it cannot be reached, there is no service in it, or data was moved into it in part.
        package static func pool(
            _ options: PostgreSQLOptions,
            _ access: Access
        ) async throws(EarshotError) -> PostgreSQLPool {
            let pool = try await PostgreSQLPool.connected(options)
            if let source = try await PostgreSQLMigrationDatabase.origin(pool) {
                throw unfinished(options.name, source)
            }
            if access == .existing, try await !PostgreSQLMigrations.wereRun(in: pool) {
                throw EarshotError(
                    .storeUnavailable,
                    "There is no service in \(options.name): begin one with `earshot serve --database`, or name another database."
                )
            }
            return pool
        }

        /// The failure of using databases into which others were moved in part.
        package static func unfinished(_ name: String, _ source: String) -> EarshotError {
            EarshotError(
                .storeUnavailable,
                "Into \(name) data is moved, and not all is there: repeat `earshot admin migrate-data \(source) \(name)`."
            )
        }
    #else
        private static func leftOut() -> EarshotError {
            LeftOutFeature.error("A database in PostgreSQL", "Service")
        }
    #endif
}
