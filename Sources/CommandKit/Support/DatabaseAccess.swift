#if Service
    package import EarshotCore
    package import EarshotPostgreSQL
#endif

/// Says what happens if there is no database where a command looks for it.
package enum DatabaseAccess: Sendable {
    /// It is not made.
    case existing
    /// It is made.
    case making
}

#if Service
    extension DatabaseAccess {
        /// Connections to the database of a service.
        ///
        /// - Throws: `configurationInvalid` if it is no address of a database in PostgreSQL, and what ``pool(_:_:)`` of options throws.
        package static func pool(_ address: String, _ access: Self) async throws(EarshotError) -> PostgreSQLPool {
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
        /// - Parameter observer: Is told of each piece of work that ended, on any thread.
        /// - Throws: `storeUnavailable` if it cannot be reached, there is no service in it, or data was moved into it in part.
        package static func pool(
            _ options: PostgreSQLOptions,
            _ access: Self,
            observer: (@Sendable (PostgreSQLWork) -> Void)? = nil
        ) async throws(EarshotError) -> PostgreSQLPool {
            let pool = try await PostgreSQLPool.connected(options, observer: observer)
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
    }
#endif
